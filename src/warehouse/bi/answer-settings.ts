/** A setting that changes the form of an answer and nothing else: neither what is read, nor what it may cost beyond the limits. */
interface AnswerSetting {
  /** What a client wants it for. */
  why: string;
  /** Bounds of its value. */
  min?: string;
  max?: string;
}

/**
 * What BI users may set, for the form of their answers. Others stay as they are: `format_schema`, `format_template_…`,
 * `output_format_schema` and `format_avro_schema_registry_url` name files and hosts, `output_format_write_statistics` counts rows of
 * other shops, `output_format_float_precision` takes digits away.
 */
export const ANSWER_SETTINGS: Readonly<Record<string, AnswerSetting>> = {
  output_format_arrow_compression_method: { why: 'Arrow in browsers and older readers: `none`; smaller: `zstd`' },
  output_format_arrow_date_as_uint16: { why: 'Arrow readers without a type for days' },
  output_format_arrow_fixed_string_as_fixed_byte_array: { why: 'Arrow readers without byte arrays of a fixed size' },
  output_format_arrow_low_cardinality_as_dictionary: { why: 'categories in pandas, factors in R' },
  output_format_arrow_string_as_string: { why: 'Arrow: texts as bytes' },
  output_format_arrow_use_64_bit_indexes_for_dictionary: { why: 'Arrow: indexes of categories' },
  output_format_arrow_use_signed_indexes_for_dictionary: { why: 'Arrow: indexes of categories' },
  output_format_parquet_compression_method: { why: 'Parquet readers with one codec, mostly `snappy` or `none`' },
  output_format_parquet_date_as_uint16: { why: 'Parquet readers without a type for days' },
  output_format_parquet_datetime_as_uint32: { why: 'Parquet readers without a type for times' },
  output_format_parquet_fixed_string_as_fixed_byte_array: { why: 'Parquet readers without such byte arrays' },
  // Every group has a place in the footer, which the engine holds in memory.
  output_format_parquet_row_group_size: { why: 'Parquet: rows that are read at a time', min: '10000', max: '1000000' },
  output_format_parquet_string_as_string: { why: 'Parquet: texts as bytes' },
  output_format_parquet_write_bloom_filter: { why: 'Parquet: smaller files' },
  output_format_parquet_write_checksums: { why: 'Parquet readers that know no checksums' },
  output_format_parquet_write_page_index: { why: 'Parquet: smaller files' },
  output_format_orc_compression_method: { why: 'ORC readers with one codec' },
  output_format_orc_string_as_string: { why: 'ORC: texts as bytes' },
  output_format_avro_codec: { why: 'Avro readers with one codec' },
  bool_false_representation: { why: 'CSV and TSV: spreadsheets and databases have words of their own' },
  bool_true_representation: { why: 'CSV and TSV: spreadsheets and databases have words of their own' },
  format_csv_delimiter: { why: 'CSV: spreadsheets of some countries want a semicolon' },
  format_csv_null_representation: { why: 'CSV: an empty cell, or the word of a database' },
  format_tsv_null_representation: { why: 'TSV: an empty cell, or the word of a database' },
  output_format_csv_crlf_end_of_line: { why: 'CSV: line ends of Windows' },
  output_format_tsv_crlf_end_of_line: { why: 'TSV: line ends of Windows' },
  output_format_csv_serialize_tuple_into_separate_columns: { why: 'CSV: a tuple in one column' },
  output_format_always_write_decimal_point_in_float_and_decimal: {
    why: 'texts: readers that guess the type of a column',
  },
  output_format_decimal_trailing_zeros: { why: 'texts: amounts of equal length' },
  date_time_input_format: { why: 'texts of times in a query' },
  date_time_output_format: { why: 'texts: times as ISO 8601' },
  output_format_json_array_of_rows: { why: 'JSON: one list instead of lines' },
  output_format_json_escape_forward_slashes: { why: 'JSON: readable addresses' },
  output_format_json_map_as_array_of_tuples: { why: 'JSON: maps in their order' },
  output_format_json_named_tuples_as_objects: { why: 'JSON: tuples as lists' },
  output_format_json_pretty_print: { why: 'JSON: one line' },
  output_format_json_quote_64bit_floats: { why: 'JSON: clients set it' },
  output_format_json_quote_64bit_integers: { why: 'JSON: clients without 64-bit integers' },
  output_format_json_quote_denormals: { why: 'JSON: clients set it' },
  output_format_json_skip_null_value_in_named_tuples: { why: 'JSON: shorter' },
  output_format_json_validate_utf8: { why: 'JSON: strict readers' },
  output_format_native_encode_types_in_binary_format: { why: 'native clients set it' },
  output_format_native_use_flattened_dynamic_and_json_serialization: { why: 'native clients set it' },
  output_format_native_write_json_as_string: { why: 'native clients set it' },
  output_format_markdown_escape_special_characters: { why: 'Markdown: titles of products with a `|`' },
  output_format_pretty_color: { why: 'Pretty: terminals' },
  output_format_pretty_display_footer_column_names: { why: 'Pretty: terminals' },
  output_format_pretty_fallback_to_vertical: { why: 'Pretty: terminals' },
  output_format_pretty_grid_charset: { why: 'Pretty: terminals' },
  output_format_pretty_highlight_digit_groups: { why: 'Pretty: terminals' },
  output_format_pretty_max_column_pad_width: { why: 'Pretty: terminals' },
  output_format_pretty_max_rows: { why: 'Pretty: terminals' },
  output_format_pretty_max_value_width: { why: 'Pretty: terminals' },
  output_format_pretty_multiline_fields: { why: 'Pretty: terminals' },
  output_format_pretty_row_numbers: { why: 'Pretty: terminals' },
  output_format_pretty_single_large_number_tip_threshold: { why: 'Pretty: terminals' },
  output_format_sql_insert_include_column_names: { why: 'rows as INSERT for another database' },
  output_format_sql_insert_max_batch_size: { why: 'rows as INSERT for another database', min: '1' },
  output_format_sql_insert_quote_names: { why: 'rows as INSERT for another database' },
  output_format_sql_insert_table_name: { why: 'rows as INSERT for another database' },
  output_format_sql_insert_use_replace: { why: 'rows as INSERT for another database' },
  output_format_values_escape_quote_with_quote: { why: 'rows as VALUES for another database' },
};
