-- A library holds 30 images: a new one pushes out the oldest.

-- Whoever chooses an id must neither meet another user's image nor learn that it exists.
alter table public.generated_images drop constraint generated_images_pkey;
alter table public.generated_images add primary key (user_id, image_id);

-- 30 images of this size are still one answer that a browser and the server can hold.
alter table public.generated_images
  add constraint generated_images_image_data_size check (octet_length(image_data) <= 12582912);

create function cellfolio.keep_newest_images() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      owner uuid;
    begin
      -- In one order, so that two inserts for several users cannot wait for each other.
      for owner in select distinct user_id from inserted order by user_id loop
        -- Of two inserts at once the second waits here until the first is over, and its delete then sees both.
        perform pg_advisory_xact_lock(hashtextextended('cellfolio.generated_images:' || owner::text, 0));
        delete from public.generated_images image
          using (
            select image_id from public.generated_images
            where user_id = owner
            order by created_at desc, image_id desc
            offset 30
          ) surplus
          where image.user_id = owner and image.image_id = surplus.image_id;
      end loop;
      return null;
    end
  $$;
revoke all on function cellfolio.keep_newest_images() from public, anon, authenticated;

create trigger generated_images_keep_newest after insert on public.generated_images
  referencing new table as inserted
  for each statement execute function cellfolio.keep_newest_images();
