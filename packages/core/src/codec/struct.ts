import { Codec } from './codec.js'
import { FAILED, type Failed } from './failed.js'
import type { Field, Fields, FieldValues } from './field.js'
import type { Findings } from './findings.js'
import { asPlainObject, isShownKey } from './json-object.js'
import { Location } from './path.js'

type JsonObject = Readonly<Record<string, unknown>>

/** Values by the index of their field in the table; undefined where the field is absent. */
type Row = unknown[]

export class Struct<F extends Fields> extends Codec<FieldValues<F>> {
  readonly _tag = 'Struct'
  readonly fields: F
  private readonly names: readonly string[]
  private readonly table: readonly Field<unknown>[]
  private readonly ranks: ReadonlyMap<string, number>
  private readonly requiredCount: number
  private readonly emptyRow: Row
  /** For each field, which one followed it in the object read last: a client mostly sends one order of fields. */
  private readonly after: number[]

  constructor(name: string, fields: F) {
    super(name)
    this.fields = fields
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
   * Reads the fields in the order in which they were sent; findings are sorted later. The object itself is the result
   * if all that it holds is a field of the table, in the table's order and read as it was sent.
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
 * object with the fields of a table. Codes: `null`, `not_a_dict`; `required` at a missing field;
 * `unknown_field` at every other key, which is dropped. Only own keys are read. The result has its fields in
 * table order; the input is not changed, and is itself the result if nothing has to be dropped or moved.
 */
export const struct = <F extends Fields>(name: string, fields: F): Struct<F> => new Struct(name, fields)
