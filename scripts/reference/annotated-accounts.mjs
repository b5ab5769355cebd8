import { readFileSync } from 'node:fs'
import { accountPayload, List, meaningOf, Refined, Struct } from '../../packages/core/dist/payloads-entry.js'

const bare = (codec) => (codec instanceof Refined ? bare(codec.base) : codec)

/** JSON of a value; before the first field of a name in each object, a comment with its meaning. */
const annotated = (codec, value, margin, seen) => {
  const kind = bare(codec)
  const inside = `${margin}  `
  const enclosed = (open, parts, close) => `${open}\n${parts.join(',\n')}\n${margin}${close}`
  if (kind instanceof List && bare(kind.item) instanceof Struct)
    return enclosed(
      '[',
      value.map((item) => `${inside}${annotated(kind.item, item, inside, seen)}`),
      ']',
    )
  if (!(kind instanceof Struct)) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, content]) => {
    const field = `${kind.name}.${name}`
    const comment = seen.has(field) ? '' : `${inside}// ${meaningOf(kind, name).text}\n`
    seen.add(field)
    return `${comment}${inside}"${name}": ${annotated(kind.fields[name].codec, content, inside, seen)}`
  })
  return enclosed('{', fields, '}')
}

const sample = (file, seen) => {
  const text = readFileSync(new URL(`../../examples/samples/${file}`, import.meta.url), 'utf8')
  return `\`\`\`jsonc\n${annotated(accountPayload, JSON.parse(text), '', seen)}\n\`\`\``
}

export const annotatedAccountsPage = () => {
  const seen = new Set()
  return `# Annotated accounts

This page shows the accounts of [\`examples/samples\`](../../examples/samples), with the meaning of each field at its first occurrence. The service
takes JSON without comments. [Fields](fields.md) lists all fields.

## Electricity

${sample('electricity-account.json', seen)}

## Gas

${sample('gas-account.json', seen)}
`
}
