-- The limits of columns as before, each under a name that says what it is: the name is all that somebody who is refused
-- gets to read. Rows that are there have passed them already, so none is read.

alter table public.contact_submissions
  drop constraint contact_submissions_name_check,
  drop constraint contact_submissions_email_check,
  drop constraint contact_submissions_subject_check,
  drop constraint contact_submissions_message_check,
  add constraint "name takes 500 characters at most" check (length(name) <= 500) not valid,
  add constraint "email takes 500 characters at most" check (length(email) <= 500) not valid,
  add constraint "subject takes 1,000 characters at most" check (length(subject) <= 1000) not valid,
  add constraint "message takes 20,000 characters at most" check (length(message) <= 20000) not valid;

alter table public.generated_images
  drop constraint generated_images_sizes,
  drop constraint generated_images_figure_source_size,
  add constraint "image_data takes 4 MiB at most" check (octet_length(image_data) <= 4194304) not valid,
  add constraint "image_id takes 1 to 500 characters" check (length(image_id) between 1 and 500) not valid,
  add constraint "title takes 2,000 characters at most" check (length(title) <= 2000) not valid,
  add constraint "subtitle takes 5,000 characters at most" check (length(subtitle) <= 5000) not valid,
  add constraint "dataset_name takes 1,000 characters at most" check (length(dataset_name) <= 1000) not valid,
  add constraint "disease_name takes 1,000 characters at most" check (length(disease_name) <= 1000) not valid,
  add constraint "subset_group_name takes 1,000 characters at most" check (length(subset_group_name) <= 1000) not valid,
  add constraint "figure_source takes 1 MiB at most" check (octet_length(figure_source::text) <= 1048576) not valid;

alter table public.subset_metadata
  drop constraint subset_metadata_sizes,
  add constraint "subset_name takes 1,000 characters at most" check (length(subset_name) <= 1000) not valid,
  add constraint "subset_type takes 100 characters at most" check (length(subset_type) <= 100) not valid,
  add constraint "gene_symbol takes 100,000 characters at most" check (length(gene_symbol) <= 100000) not valid,
  add constraint "dataset_name takes 1,000 characters at most" check (length(dataset_name) <= 1000) not valid,
  add constraint "disease_name takes 1,000 characters at most" check (length(disease_name) <= 1000) not valid,
  add constraint "selected_cell_types takes 256 KiB at most"
    check (octet_length(selected_cell_types::text) <= 262144) not valid,
  add constraint "filter_config takes 1 MiB at most" check (octet_length(filter_config::text) <= 1048576) not valid;

alter table public.user_files
  drop constraint user_files_text_lengths,
  add constraint "file_name takes 1,000 characters at most" check (length(file_name) <= 1000) not valid,
  add constraint "original_filename takes 1,000 characters at most" check (length(original_filename) <= 1000) not valid,
  add constraint "description takes 20,000 characters at most" check (length(description) <= 20000) not valid,
  add constraint "mime_type takes 255 characters at most" check (length(mime_type) <= 255) not valid,
  add constraint "file_path takes 1,100 characters at most" check (length(file_path) <= 1100) not valid;
