import { Codec, FAILED, type Failed, type Reader, Refined } from './codec.js'
import { childPath, Findings, Location, type Path, payloadLocation, plainContext } from './findings.js'

/** The most items that a list may have. */
export const MAX_ITEMS = 10_000

export class List<A> extends Codec<readonly A[]> {
  readonly _tag = 'List'
  readonly item: Reader<A>

  constructor(item: Reader<A>) {
    super(`list of ${item.name}`)
    this.item = item
  }

  override read(value: unknown, at: Location, findings: Findings): readonly A[] | Failed {
    if (!Array.isArray(value)) {
      findings.add(at, value === null ? 'null' : 'not_a_list')
      return FAILED
    }
    const sent: readonly unknown[] = value
    if (sent.length <= MAX_ITEMS) return this.readItems(sent, new Location(at), findings) as readonly A[]
    findings.add(at, 'max_length', { max: MAX_ITEMS })
    return FAILED
  }

  /** The list that was sent; a copy only if an item could not be read or was changed by reading. */
  private readItems(sent: readonly unknown[], here: Location, findings: Findings): readonly unknown[] {
    let copy: unknown[] | undefined
    for (let index = 0; index < sent.length; index++) {
      here.key = index
      here.rank = index
      const read = this.item.read(sent[index], here, findings)
      if (copy === undefined && read !== sent[index]) copy = sent.slice(0, index)
      if (copy !== undefined) copy.push(read)
    }
    return copy ?? sent
  }
}

/**
 * list of X. Codes: `null`, `not_a_list`, `max_length` (over 10 000 items, which are then not read); those of X at the
 * items.
 */
export const list = <A>(item: Reader<A>): List<A> => new List(item)

// oxlint-disable-next-line typescript/unbound-method -- only ever used through call()
const isOwnEnumerable = Object.prototype.propertyIsEnumerable

/** A JSON object, also of another JavaScript realm; no array, date, map or the like. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null) return false
  return inheritsNothing(value) || Object.prototype.toString.call(value) === '[object Object]'
}

/**
 * The value as an object with own fields only: itself, or a copy of one that inherits fields. Undefined for a value that is
 * no JSON object.
 */
const asPlainObject = (value: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (!isJsonObject(value)) return undefined
  return inheritsNothing(value) ? value : (Object.assign(Object.create(null), value) as typeof value)
}

const inheritsNothing = (object: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(object)
  return prototype === null || (prototype === Object.prototype && !haveAllObjectsFields())
}

/** Whether code of this process added a field to `Object.prototype`, which `for … in` would return for each object. */
const haveAllObjectsFields = (): boolean => {
  for (const _ in Object.prototype) return true
  return false
}

/** An own enumerable field of the object; undefined if it has none, even if it inherits one. */
export const ownField = (object: Readonly<Record<string, unknown>>, name: string): unknown => {
  const value = object[name]
  return value !== undefined && isOwnEnumerable.call(object, name) ? value : undefined
}

/** Whether the name of an unknown field may be shown in `attr`: 1 to 64 harmless characters. */
export const isShownKey = (key: string): boolean => {
  if (key.length === 0 || key.length > 64) return false
  for (let index = 0; index < key.length; index++) if (!isShown(key.charCodeAt(index))) return false
  return true
}

const isShown = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || // a to z
  (unit >= 0x41 && unit <= 0x5a) || // A to Z
  (unit >= 0x30 && unit <= 0x39) || // 0 to 9
  unit === 0x5f || // _
  unit === 0x2d // -

/** A field of an object: its codec, and whether it is required. */
export type Field<A, Required extends boolean = boolean> = Readonly<{
  codec: Reader<A>
  isRequired: Required
}>

/** The fields of an object by their names in JSON, in the order of the tables of docs/reference/fields.md. */
export type Fields = Readonly<Record<string, Field<unknown>>>

export type Flat<A> = { readonly [Name in keyof A]: A[Name] }
export type RequiredNames<F extends Fields> = {
  [Name in keyof F]: F[Name] extends Field<unknown, true> ? Name : never
}[keyof F]
export type ValueOf<F> = F extends Field<infer A> ? A : never

/** The type of an object with these fields. */
export type FieldValues<F extends Fields> = Flat<
  { [Name in RequiredNames<F>]: ValueOf<F[Name]> } & {
    [Name in Exclude<keyof F, RequiredNames<F>>]?: ValueOf<F[Name]>
  }
>

/** A field whose absence is reported as `required`. */
export const required = <A>(codec: Reader<A>): Field<A, true> => ({ codec, isRequired: true })

/** A field that may be absent, but not null. */
export const optional = <A>(codec: Reader<A>): Field<A, false> => ({ codec, isRequired: false })

/** The fields that a text describes: one line for each, with its name, a colon, and one or two sentences. */
type DescribedIn<Text extends string> = Text extends `${string}\n  ${infer Name}: ${infer Rest}`
  ? Name | DescribedIn<Rest>
  : never

/**
 * One or two sentences for each field: its meaning, unit and sign, and its relation to others. If the field is no object, an
 * example as JSON follows. They are for documentation and types; reading does not use them.
 */
type Meanings<F extends Fields, Text extends string> = Text &
  ([keyof F] extends [DescribedIn<Text>]
    ? unknown
    : Readonly<{ withoutMeaning: Exclude<keyof F, DescribedIn<Text>> }>)

type JsonObject = Readonly<Record<string, unknown>>

/** Values by the index of their field in the table; undefined if the field is absent. */
type Row = unknown[]

export class Struct<F extends Fields> extends Codec<FieldValues<F>> {
  readonly _tag = 'Struct'
  readonly fields: F
  /** A line for each field, if the object is a payload. */
  readonly meanings: string
  private readonly names: readonly string[]
  private readonly table: readonly Field<unknown>[]
  private readonly ranks: ReadonlyMap<string, number>
  private readonly requiredCount: number
  private readonly emptyRow: Row
  /** For each field, the next one in the latest object: a client mostly sends fields in one order. */
  private readonly after: number[]

  constructor(name: string, fields: F, meanings: string) {
    super(name)
    this.fields = fields
    this.meanings = meanings
    this.names = Object.keys(fields)
    this.table = Object.values(fields)
    this.ranks = new Map(this.names.map((field, rank) => [field, rank]))
    this.after = [...this.names.keys(), this.names.length]
    this.emptyRow = this.names.map(() => undefined)
    this.requiredCount = this.table.filter(({ isRequired }) => isRequired).length
  }

  /** The index of a field in the table; unknown fields share the index after the last. */
  rankOf(name: string): number {
    return this.ranks.get(name) ?? this.names.length
  }

  override read(value: unknown, at: Location, findings: Findings): FieldValues<F> | Failed {
    const object = asPlainObject(value)
    if (object === undefined) {
      findings.add(at, value === null ? 'null' : 'not_a_dict')
      return FAILED
    }
    return this.readFields(object, object === value, new Location(at), findings) as FieldValues<F>
  }

  /**
   * Reads the fields in the order in which they were sent; findings are sorted later. The object itself is the result if
   * it has only fields of the table, in the table's order and unchanged by reading.
   */
  private readFields(object: JsonObject, mayBeKept: boolean, here: Location, findings: Findings): JsonObject {
    const row = this.emptyRow.slice()
    let isAsSent = mayBeKept
    let next = 0
    let requiredSeen = 0
    for (const name in object) {
      const sent = object[name]
      let rank = this.after[next] as number
      if (this.names[rank] !== name) this.after[next] = rank = this.rankOf(name)
      const field = this.table[rank]
      here.rank = rank
      if (sent === undefined || field === undefined) {
        isAsSent = false
        if (sent !== undefined) this.reportUnknown(name, here, findings)
        continue
      }
      here.key = name
      const read = field.codec.read(sent, here, findings)
      row[rank] = read
      if (read !== sent || rank < next) isAsSent = false
      if (field.isRequired) requiredSeen++
      next = rank + 1
    }
    if (requiredSeen < this.requiredCount && !findings.isPastErrors(here))
      this.reportMissing(object, here, findings)
    return isAsSent ? object : this.objectOf(row)
  }

  private objectOf(row: Row): JsonObject {
    const object: Record<string, unknown> = {}
    for (let rank = 0; rank < row.length; rank++) {
      const read = row[rank]
      if (read !== undefined) object[this.names[rank] as string] = read
    }
    return object
  }

  private reportUnknown(name: string, here: Location, findings: Findings): void {
    here.key = isShownKey(name) ? name : undefined
    findings.add(here, 'unknown_field')
  }

  private reportMissing(value: JsonObject, here: Location, findings: Findings): void {
    this.table.forEach(({ isRequired }, rank) => {
      const name = this.names[rank] as string
      if (!isRequired || value[name] !== undefined) return
      here.key = name
      here.rank = rank
      findings.add(here, 'required')
    })
  }
}

/**
 * object with the fields of a table. Codes: `null`, `not_a_dict`; `required` at a missing field; `unknown_field` at every
 * other key, which is dropped. Only own keys are read. The result has its fields in table order; the input is not changed,
 * and is itself the result if no field has to be dropped or moved.
 */
export const struct = <F extends Fields>(name: string, fields: F): Struct<F> => new Struct(name, fields, '')

/** Makes a struct of a payload from its meanings: a field without a meaning does not compile. */
export const table =
  <F extends Fields>(name: string, fields: F) =>
  <Text extends string>(meanings: Meanings<F, Text>): Struct<F> =>
    new Struct(name, fields, meanings)

/**
 * The meaning of a field of a payload, with its example; objects and lists of them have no example. Throws for an unknown field.
 */
export const meaningOf = (
  { meanings }: Struct<Fields>,
  name: string,
): Readonly<{ text: string; example?: unknown }> => {
  const line = meanings.split('\n').find((each) => each.startsWith(`  ${name}: `))
  if (line === undefined) throw new Error(`No meaning of ${name}`)
  const [text = '', example] = line.slice(name.length + 4).split(' Example: ')
  return example === undefined ? { text } : { text, example: JSON.parse(example) as unknown }
}

/** A field of an unchecked payload, if the codec reads it without error; else undefined. */
export const readField = <A>(codec: Reader<A>, payload: unknown, field: string): A | undefined => {
  if (!isJsonObject(payload)) return undefined
  const findings = new Findings(plainContext)
  const value = codec.read(ownField(payload, field), payloadLocation(), findings)
  return value !== FAILED && findings.isClean ? value : undefined
}

/** The path of these keys in a payload of the codec, with the ranks of its steps. */
export const resolvePath = (codec: Reader<unknown>, keys: readonly (string | number)[]): Path | undefined => {
  let at: Reader<unknown> | undefined = codec
  let path: Path | undefined
  for (const key of keys) {
    const holder: Reader<unknown> | undefined = withoutRefinements(at)
    path = childPath(path, key, rankIn(holder, key))
    at = partOf(holder, key)
  }
  return path
}

const withoutRefinements = (codec: Reader<unknown> | undefined): Reader<unknown> | undefined =>
  codec instanceof Refined ? withoutRefinements(codec.base) : codec

const rankIn = (holder: Reader<unknown> | undefined, key: string | number): number => {
  if (typeof key === 'number') return key
  return holder instanceof Struct ? holder.rankOf(key) : 0
}

const partOf = (holder: Reader<unknown> | undefined, key: string | number): Reader<unknown> | undefined => {
  if (holder instanceof List) return holder.item
  if (!(holder instanceof Struct)) return undefined
  const { fields } = holder as Struct<Fields>
  return Object.hasOwn(fields, key) ? fields[key]?.codec : undefined
}
