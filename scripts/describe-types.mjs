// Replaces the compiled types of payloads by interfaces with the meaning of each field, which an editor shows where the field is
// used. Without this script the meanings are only texts at codecs. Each object of a payload gets a type of its own, named after
// its codec.
import { readFileSync, writeFileSync } from 'node:fs'
import { List, meaningOf, Refined, Struct } from '../packages/core/dist/payloads-entry.js'

const built = new URL('../packages/core/dist/payloads/', import.meta.url)
const codecs = Object.assign(
  {},
  ...(await Promise.all(['account', 'requests'].map((name) => import(new URL(`${name}.js`, built))))),
)

const partsOf = (codec) => {
  if (codec instanceof Refined) return [codec.base]
  if (codec instanceof List) return [codec.item]
  return codec instanceof Struct ? Object.values(codec.fields).map((field) => field.codec) : []
}

const hasDays = (codec) => codec._tag === 'Date' || partsOf(codec).some(hasDays)

/** The type of each object, by its codec: its name, and whether it contains days, whose type is then a parameter. */
const types = new Map()

const nameAll = (codec) => {
  if (codec instanceof Struct && !types.has(codec)) {
    const words = codec.name.split(' ').map((word) => word[0].toUpperCase() + word.slice(1).toLowerCase())
    types.set(codec, { name: `${words.join('')}ToSend`, hasDays: hasDays(codec) })
  }
  partsOf(codec).forEach(nameAll)
}

nameAll(codecs.accountPayload)
// Requests have types with other names, but the objects in them have none.
for (const request of Object.values(codecs).filter((codec) => codec.name.endsWith(' request')))
  partsOf(request).forEach(nameAll)

const scalars = {
  Boolean: 'boolean',
  Decimal: 'string | number',
  FreeObject: 'Readonly<Record<string, unknown>>',
  Integer: 'number',
}

const typeOf = (codec, day) => {
  if (codec instanceof Refined) return typeOf(codec.base, day)
  if (codec instanceof List) return `readonly ${typeOf(codec.item, day).replace(/^.* \| .*$/, '($&)')}[]`
  if (codec instanceof Struct) {
    const { name, hasDays } = types.get(codec) ?? {}
    if (name === undefined) throw new Error(`No type of the object ${codec.name}`)
    return `${day === 'Day' ? '' : `import('./to-send.js').`}${name}${hasDays ? `<${day}>` : ''}`
  }
  // The type of country codes is any text.
  if (codec._tag === 'Choice' && codec.members.length < 100)
    return codec.members.map((member) => `'${member}'`).join(' | ')
  return codec._tag === 'Date' ? day : (scalars[codec._tag] ?? 'string')
}

const fieldOf = (struct, name, { codec, isRequired }, day) => {
  const { text, example } = meaningOf(struct, name)
  const shown = example === undefined ? '' : ` Example: \`${JSON.stringify(example)}\``
  return `    /** ${text}${shown} */\n    readonly ${name}${isRequired ? '' : '?'}: ${typeOf(codec, day)};\n`
}

const interfaceOf = (name, struct, day) =>
  `export interface ${name} {\n${Object.entries(struct.fields)
    .map(([field, how]) => fieldOf(struct, field, how, day))
    .join('')}}\n`

const localDate = `import('../values/instant.js').LocalDate`

const toSend = () =>
  [...types]
    .map(([struct, { name, hasDays }]) =>
      interfaceOf(hasDays ? `${name}<Day = string>` : name, struct, 'Day'),
    )
    .join('')

/** The type of a decoded payload: the type to send, with checked days. */
const readType = (name, codec) => {
  const { name: sent, hasDays } = types.get(codec) ?? {}
  if (sent === undefined) return interfaceOf(name, codec, localDate)
  return `export type ${name} = import('./to-send.js').${sent}${hasDays ? `<${localDate}>` : ''};\n`
}

const described = (text) =>
  text
    .replace(/^export type (\w+) = TypeOf<typeof (\w+)>;\n/gm, (_, name, codec) =>
      readType(name, codecs[codec]),
    )
    // The source map does not fit the new lines.
    .replace(/^\/\/# sourceMappingURL=.*\n?/m, '')

/** Writes a file only if it differs, as the compiler treats a newer file as changed. */
const write = (file, text) => {
  const path = new URL(file, built)
  if (readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
}

write('to-send.d.ts', toSend())
for (const file of ['account.d.ts', 'requests.d.ts'])
  write(file, described(readFileSync(new URL(file, built), 'utf8')))
