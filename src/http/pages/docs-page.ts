/** The page of `GET /docs`. All addresses are relative, so that it works below a path of a proxy too. */
export function docsPage(assets: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Profit metrics and ingest: API</title>
    <link rel="stylesheet" href="${assets}/swagger-ui.css">
    <link rel="stylesheet" href="docs/style.css">
    <link rel="icon" href="favicon.ico">
  </head>
  <body>
    <div id="docs"></div>
    <noscript>This page needs JavaScript; the document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="${assets}/swagger-ui-bundle.js"></script>
    <script src="docs/init.js"></script>
  </body>
</html>
`;
}

/** What Swagger UI lacks on a phone: its tables scroll, and long names break. */
export const DOCS_STYLE = `.swagger-ui .info table { display: block; overflow-x: auto; }
.swagger-ui .info { overflow-wrap: anywhere; }
.swagger-ui .info td { overflow-wrap: normal; }
`;

/** The script that shows the document; a file of its own, because nothing inline may run. */
export const DOCS_INIT = `window.addEventListener('load', () => {
  window.ui = SwaggerUIBundle({
    url: 'openapi.json',
    dom_id: '#docs',
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    persistAuthorization: false,
  });
});
`;
