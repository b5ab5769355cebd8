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

const named = (codec, field) => {
  const bare = withoutRules(codec)
  if (bare instanceof Struct) return link(bare)
  if (bare instanceof List) return `list of ${named(bare.item, field)}`
  if (bare._tag === 'Choice')
    return bare.members.length > 20
      ? `choice of ${bare.members.length} values: ${bare.limitsOf('invalid_choice').allowed}`
      : `choice: ${bare.members.join(', ')}`
  if (bare._tag === 'Code')
    return `code(${bare.max})${bare.listName === field ? '' : `, open list ${code(bare.listName)}`}`
  const floor = bare.size?.floor === undefined ? '' : `, not below ${bare.size.floor}`
  return `${bare.name}${floor}`
}

const meaning = (struct, name) => {
  const { text, example } = meaningOf(struct, name)
  return example === undefined ? text : `${text} ${code(JSON.stringify(example))}`
}

/** The codes of texts that people wrote, which the page says once. */
const ofNames = ['missing_value_as_text', 'wrongly_decoded_text', 'line_break_in_text']
const isOfNames = (codes) => codes.join() === ofNames.join()

/** A field: its type, whether it is required, its meaning, and codes of its own. */
const entry =
  (struct) =>
  ([name, { codec, isRequired }]) => {
    const rules = rulesOf(codec)
    const codes = isOfNames(rules) ? '*name*' : rules.map(code).join(', ')
    const facts = [
      named(codec, name),
      ...(isRequired ? ['**required**'] : []),
      ...(codes === '' ? [] : [codes]),
    ]
    return `- ${code(name)} (${facts.join('; ')}): ${meaning(struct, name)}`
  }

const entriesOf = (struct) => Object.entries(struct.fields).map(entry(struct))

/** The fields of an object; those that an earlier object has with the same text are only named, with a link to it. */
const section = (struct, shown) => {
  const own = []
  const known = new Map()
  for (const [index, line] of entriesOf(struct).entries()) {
    const earlier = [...shown].find((other) => entriesOf(other).includes(line))
    if (earlier === undefined) own.push(line)
    else known.set(earlier, [...(known.get(earlier) ?? []), code(Object.keys(struct.fields)[index])])
  }
  const links = [...known].map(([other, names]) => `- ${names.join(', ')}: as in ${link(other)}`)
  return `### ${struct.name}\n\n${[...links, ...own].join('\n')}`
}

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
    const sections = fresh.map((struct) => {
      const text = section(struct, shown)
      shown.add(struct)
      return text
    })
    return [`## ${titleOf(body)}`, ...sections].join('\n\n')
  })
}

export const fieldsPage = () => `# Fields

[Types](types.md) lists the accepted values of each type, and [error codes](errors.md) the codes.
[\`examples/samples\`](../../examples/samples) has whole accounts.

- Omit an unknown value: null is never accepted.
- Behind the type of a field stand further codes that it may get. *Name* stands for ${ofNames.map(code).join(', ')}.
- A meaning ends with an example of the value. The open list of a code has the name of its field unless it says another.
- The service drops fields that are not in these lists, and reports them as the warning \`unknown_field\`.
- The service then checks the account as a whole, by the [rules over several fields](rules.md).
- Every string has at most 65 536 bytes in UTF-8, and every list at most 10 000 items.

${allSections().join('\n\n')}
`
