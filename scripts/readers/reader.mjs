import { conditionOf } from './condition.mjs'
import { kebab, pascal } from './names.mjs'

const notice = '// Written by `npm run docs:generate` from the codec. Change the codec, not this file.'

/** Where the generated code takes what it calls from. */
const modules = {
  '../../codec/quick/plain-date.js': ['isPlainDate', 'isPlainDatetime'],
  '../../codec/json-object.js': ['inheritsNothing'],
  '../../codec/quick/plain-amount.js': ['isPlainAmount', 'isPlainQuantity'],
  '../../codec/quick/plain-decimal.js': ['isPlainDecimal'],
  '../../codec/quick/plain-object.js': ['isPlainObject'],
  '../../codec/quick/plain-path.js': ['isPlainPath'],
  '../../codec/quick/plain-text.js': ['isPlainKey', 'isPlainTerm', 'isPlainText'],
  '../../codec/quick/by-part.js': ['childOf', 'holds', 'isMember', 'readSilently', 'sizeOf'],
  '../../codec/quick/by-settings.js': ['isPlainAddress', 'isPlainCode', 'isPlainNumber'],
  '../../codec/quick/plain-integer.js': ['isPlainInteger'],
  '../../codec/quick/holders.js': ['countInOrder', 'isShortList'],
}

const importsOf = (uses, structs) => [
  "import type { Part } from '../../codec/quick/part.js'",
  "import type { Reading } from '../../codec/quick/reading.js'",
  ...Object.entries(modules).flatMap(([from, names]) => {
    const used = names.filter((name) => uses.has(name))
    return used.length === 0 ? [] : [`import { ${used.join(', ')} } from '${from}'`]
  }),
  ...[...structs].map((name) => `import { is${pascal(name)} } from './${kebab(name)}.js'`),
]

const listFunction = (name, item, context) => {
  context.uses.add('isShortList').add('childOf')
  const condition = conditionOf(item, 'item', 'each', { ...context, name: `${name}Item` })
  return `const ${name} = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!${condition}) return false
  }
  return true
}`
}

/** One line for each field: whether it is as it should be, or absent where it may be. */
const fieldLine = (part, index, context) => {
  const name = part.names[index]
  const condition = conditionOf(part.parts[index], name, `childOf(part, ${index})`, { ...context, name })
  return part.isRequired[index] ? condition : `(${name} === undefined || ${condition})`
}

/** What the generated functions name themselves. */
const taken = new Set(['object', 'part', 'reading', 'count', 'names'])

const structFunction = (part, context) => {
  const clash = part.names.find((name) => taken.has(name))
  if (clash !== undefined) throw new Error(`A field named ${clash} needs another name in generated code`)
  const fields = part.names.map((_, index) => fieldLine(part, index, context))
  const optional = part.names.filter((_, index) => !part.isRequired[index])
  const required = part.names.length - optional.length
  const counts = [String(required), ...optional.map((name) => `(${name} === undefined ? 0 : 1)`)]
  const { name } = part.codec
  return `const names = [${part.names.map((field) => `'${field}'`).join(', ')}] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole ${name}, with fields in table order and none unknown. */
export const is${pascal(name)} = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < ${required}) return false
  const { ${part.names.join(', ')} } = object as Sent
  return (
    count === ${counts.join(' + ')} &&
    inheritsNothing(object as Sent) &&
    ${fields.join(' &&\n    ')}
  )
}`
}

/** The file that reads one kind of object: its name and its text. */
export const readerOf = (part) => {
  const context = {
    uses: new Set(['childOf', 'countInOrder', 'inheritsNothing']),
    lists: new Map(),
    structs: new Set(),
  }
  const struct = structFunction(part, context)
  const lists = [...context.lists].map(([name, item]) => listFunction(name, item, context))
  const imports = importsOf(context.uses, context.structs)
  const text = [notice + '\n' + imports.join('\n'), ...lists, struct].join('\n\n')
  return [`${kebab(part.codec.name)}.ts`, `${text}\n`]
}
