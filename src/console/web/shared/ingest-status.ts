interface Counts {
  accepted: number;
  rejected: number;
  superseded: number;
}

/** What the app reads of `GET /v1/ingest/status`. */
export interface IngestStatus {
  kinds: Record<
    string,
    {
      last_received_at: string | null;
      windows: Record<'24h' | '7d' | '30d', Counts>;
      top_error_codes: { code: string; count: number; sample_message: string }[];
    }
  >;
}
