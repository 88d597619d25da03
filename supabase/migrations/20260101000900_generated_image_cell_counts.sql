-- How many cells an image shows: of two figures of one subset, drawn before and after its filter was changed, title and
-- subtitle are the same. Images from before have none.
alter table public.generated_images add column cell_count integer;
