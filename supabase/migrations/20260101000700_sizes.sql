-- What one user may put into one row. Lists come as one answer, so what a list may hold has to fit into one.

-- 30 images of this size, an order of magnitude above what a figure takes.
alter table public.generated_images
  drop constraint generated_images_image_data_size,
  add constraint generated_images_sizes check (
    octet_length(image_data) <= 4194304
    and length(image_id) between 1 and 500
    and length(title) <= 2000
    and length(subtitle) <= 5000
    and length(dataset_name) <= 1000
    and length(disease_name) <= 1000
    and length(subset_group_name) <= 1000
  );

alter table public.subset_metadata
  add constraint subset_metadata_sizes check (
    length(subset_name) <= 1000
    and length(subset_type) <= 100
    and length(gene_symbol) <= 100000
    and length(dataset_name) <= 1000
    and length(disease_name) <= 1000
    and octet_length(selected_cell_types::text) <= 262144
    and octet_length(filter_config::text) <= 1048576
  );
