-- What an image was drawn from, so that it can be drawn again: larger, for print, or as SVG.
alter table public.generated_images
  add column figure_source jsonb,
  add constraint generated_images_figure_source_size check (octet_length(figure_source::text) <= 1048576);
