import { pascal } from './names.mjs'

/** A scalar: a check that says yes to what surely is in order, else the codec itself. */
const scalar = (check) => (part, value, at, uses) => {
  const [name, text] = check(part, value, at, uses)
  if (name !== undefined) uses.add(name)
  uses.add('readSilently')
  return `(${text} || readSilently(${at}, ${value}, reading))`
}

const call = (name, ...more) => [name, `${name}(${more.join(', ')})`]

const few = 8

const choice = ({ codec }, value, at) =>
  codec.members.length > few
    ? call('isMember', at, value)
    : [undefined, codec.members.map((member) => `${value} === '${member}'`).join(' || ')]

/** Numbers first, which are looked at without the part; then decimal text. */
const decimal = ({ codec: { size } }, value, at, uses) => {
  const name = size.floor === undefined ? 'isPlainAmount' : 'isPlainQuantity'
  uses.add('isPlainDecimal').add('sizeOf')
  const [, number] = call(name, value, `1e${size.decimals}`, `1e${size.whole}`)
  return [name, `${number} || isPlainDecimal(${value}, sizeOf(${at}))`]
}

const scalars = {
  text: scalar(({ max }, value) => call('isPlainText', value, max)),
  term: scalar(({ max }, value) => call('isPlainTerm', value, max)),
  key: scalar(({ max }, value) => call('isPlainKey', value, max)),
  code: scalar(({ max, codec }, value) => call('isPlainCode', value, max, `'${codec.listName}'`, 'reading')),
  choice: scalar(choice),
  date: scalar((_, value) => call('isPlainDate', value)),
  datetime: scalar((_, value) => call('isPlainDatetime', value)),
  integer: scalar(({ codec }, value) => call('isPlainInteger', value, codec.min, codec.max)),
  decimal: scalar(decimal),
  'decimal text': scalar((_, value, at) => call('isPlainDecimal', value, `sizeOf(${at})`)),
  boolean: scalar((_, value) => [undefined, `typeof ${value} === 'boolean'`]),
  'document path': scalar(({ max }, value) => call('isPlainPath', value, max)),
  'free object': scalar((_, value) => call('isPlainObject', value)),
  email: scalar((_, value) => call('isPlainAddress', value, 'reading')),
  phone: scalar((_, value, at) => call('isPlainNumber', value, at, 'reading')),
}

/**
 * The expression that says whether the reader accepts a value; `at` is an expression for its part. What the
 * expression calls is added to `uses`, the functions for lists to `lists` by their names.
 */
export const conditionOf = (part, value, at, { uses, lists, structs, name }) => {
  const context = { uses, lists, structs, name }
  const first = () => {
    uses.add('childOf')
    return `childOf(${at}, 0)`
  }
  if (part.way === 'refined') {
    uses.add('holds')
    return `(${conditionOf(part.parts[0], value, first(), context)} && holds(${at}, ${value}))`
  }
  if (part.way === 'struct') {
    structs.add(part.codec.name)
    return `is${pascal(part.codec.name)}(${value}, ${at}, reading)`
  }
  if (part.way === 'list') {
    const list = `are${pascal(name)}`
    lists.set(list, part.parts[0])
    return `${list}(${value}, ${at}, reading)`
  }
  if (part.way === 'decimal text') uses.add('sizeOf')
  const make = scalars[part.way]
  if (make !== undefined) return make(part, value, at, uses)
  uses.add('readSilently')
  return `readSilently(${at}, ${value}, reading)`
}
