-- Images are deleted by their image_id or by the ids of their rows, whichever a client keeps.
alter table public.generated_images add column id uuid not null default gen_random_uuid();
alter table public.generated_images add constraint generated_images_id unique (user_id, id);
