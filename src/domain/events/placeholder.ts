const NOTHING = /^(?:null|undefined|none|nan|not set|\(none\)|\(not set\))$/i;
/** What link templates write before a tool fills them in: `{gclid}`, `{{ad.id}}`, `${id}`, `[ID]`, `%%ID%%`, `__CLICKID__`. */
const TEMPLATE = /^(?:\$?\{[^{}]*\}|\{\{[^{}]*\}\}|\[[^[\]]*\]|%%[^%]*%%|__[A-Z0-9_]*[A-Z][A-Z0-9_]*__|<[^<>]*>)$/;

/** True of a parameter's value that no tool has filled in: it says nothing, whatever the parameter is. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  return text === '' || NOTHING.test(text) || TEMPLATE.test(text);
}
