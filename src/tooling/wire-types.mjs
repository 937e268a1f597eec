/** Types of wire shapes as TypeScript, from their schemas: what a package that is used elsewhere can import. */

/** @param shapes schemas by the names of their types */
export function wireTypes(shapes) {
  const types = Object.entries(shapes).map(([name, schema]) => `export type ${name} = ${typeOf(schema, '')};\n`);
  return `/** Made from the schemas of the service. */\n${types.join('\n')}`;
}

function typeOf(schema, indent) {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  switch (schema.type) {
    case 'object':
      return objectType(schema, indent);
    case 'array':
      return `readonly (${typeOf(schema.items ?? {}, indent)})[]`;
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return 'unknown';
  }
}

function objectType({ properties = {}, required = [] }, indent) {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const words = schema.description === undefined ? '' : `${inner}/** ${schema.description} */\n`;
    return `${words}${inner}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)};\n`;
  });
  return fields.length === 0 ? 'Record<string, unknown>' : `{\n${fields.join('')}${indent}}`;
}
