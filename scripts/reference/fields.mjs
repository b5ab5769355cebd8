import { List, meaningOf, Refined, Struct } from '../../packages/core/dist/payloads-entry.js'
import { endpoints, Lines } from '../../packages/http-contract/dist/index.js'
import { requestBodies } from '../../packages/http-contract/dist/openapi/index.js'
import { code } from './table.mjs'

const withoutRules = (codec) => (codec instanceof Refined ? withoutRules(codec.base) : codec)
const rulesOf = (codec) =>
  codec instanceof Refined ? [...rulesOf(codec.base), codec.code] : (codec.warned ?? [])

const structOf = (codec) => {
  const bare = withoutRules(codec)
  if (bare instanceof Struct) return bare
  return bare instanceof List ? structOf(bare.item) : undefined
}

const anchor = (struct) => `#${struct.name.toLowerCase().replaceAll(' ', '-')}`
const link = (struct) => `[${struct.name}](${anchor(struct)})`

const named = (codec) => {
  const bare = withoutRules(codec)
  if (bare instanceof Struct) return link(bare)
  if (bare instanceof List) return `list of ${named(bare.item)}`
  if (bare._tag === 'Choice')
    return bare.members.length > 20
      ? `choice of ${bare.members.length} values: ${bare.limitsOf('invalid_choice').allowed}`
      : `choice: ${bare.members.join(', ')}`
  if (bare._tag === 'Code') return `code(${bare.max}), open list ${code(bare.listName)}`
  const floor = bare.size?.floor === undefined ? '' : `, not below ${bare.size.floor}`
  return `${bare.name}${floor}`
}

const meaning = (struct, name) => {
  const { text, example } = meaningOf(struct, name)
  return example === undefined ? text : `${text} Example: ${code(JSON.stringify(example))}`
}

/** A field: its type, whether it is required, its meaning, and codes of its own. */
const entry =
  (struct) =>
  ([name, { codec, isRequired }]) => {
    const codes = rulesOf(codec).map(code).join(', ')
    const facts = [named(codec), ...(isRequired ? ['**required**'] : []), ...(codes === '' ? [] : [codes])]
    return `- ${code(name)} (${facts.join('; ')}): ${meaning(struct, name)}`
  }

const section = (struct) =>
  `### ${struct.name}\n\n${Object.entries(struct.fields).map(entry(struct)).join('\n')}`

/** The object itself, then every object inside, each once, in the order of reference. */
const structsIn = (struct, seen = new Set()) => {
  if (seen.has(struct)) return seen
  seen.add(struct)
  for (const { codec } of Object.values(struct.fields)) {
    const inner = structOf(codec)
    if (inner !== undefined) structsIn(inner, seen)
  }
  return seen
}

/** The codec of a body, or of each of its lines. */
export const codecOf = (body) => requestBodies[body instanceof Lines ? body.each.name : body].codec

/** Every body, once, in the order of the endpoints. */
const bodies = new Set(
  Object.values(endpoints)
    .filter(({ body }) => body !== undefined)
    .map(({ body }) => codecOf(body)),
)

/** `notes request` becomes `Notes`. */
const titleOf = ({ name }) => name.charAt(0).toUpperCase() + name.slice(1).replace(/ request$/, '')

/** The link from another page to the body of a request. */
export const linkToRequest = (struct) => `[${struct.name}](fields.md${anchor(struct)})`

/** The objects of each request, without those that an earlier request shows. */
const allSections = () => {
  const shown = new Set()
  return [...bodies].map((body) => {
    const fresh = [...structsIn(body)].filter((struct) => !shown.has(struct))
    for (const struct of fresh) shown.add(struct)
    return [`## ${titleOf(body)}`, ...fresh.map(section)].join('\n\n')
  })
}

export const fieldsPage = () => `# Fields

This page lists the fields of each request: their meaning, unit and sign, and the checks of their values. [Types](types.md) lists the accepted values
of each type, and [error codes](errors.md) the meaning of each code. The accounts of
[\`examples/samples\`](../../examples/samples) show many of them.

- Omit an unknown value: null is never accepted.
- Codes behind the type of a field come beside the codes of that type.
- The service drops fields that are not in these lists, and reports them as the warning \`unknown_field\`.
- The service then checks the account as a whole, by the [rules over several fields](rules.md).
- Every string has at most 65 536 bytes in UTF-8, and every list at most 10 000 items.

${allSections().join('\n\n')}
`
