/** Version of the service, as health and the OpenAPI document give it. */
export const VERSION = '0.1.0';
