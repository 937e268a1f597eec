import Type from 'typebox';
import { sendConditional } from '../middleware/conditional.js';
import { defineRoute, type Route } from '../route.js';

export interface OpenApiDeps {
  /** The document as JSON. */
  document: string;
}

/** `GET /openapi.json`. */
export const openApiRoutes: readonly Route<OpenApiDeps>[] = [
  defineRoute({
    id: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    tag: 'Status',
    scope: null,
    summary: 'This document',
    description: 'The OpenAPI 3.1 document of the service, generated from the schemas that validate.',
    headers: { 'If-None-Match': { description: 'Entity tags of known documents.', schema: Type.String() } },
    answers: {
      200: { description: 'The document.', schema: Type.Object({}), headers: ['ETag', 'Cache-Control'] },
      304: { description: 'Unchanged since the entity tag.', headers: ['ETag', 'Cache-Control'] },
    },
    examples: [],
    run({ req, res }, { document }) {
      res.setHeader('Access-Control-Allow-Origin', '*'); // tools in a browser read it, and it holds no secret
      sendConditional(req, res, document, 'public, no-cache');
    },
  }),
];
