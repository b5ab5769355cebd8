import { Codec } from './codec.js'
import { FAILED, type Failed } from './failed.js'
import type { Field, Fields, FieldValues } from './field.js'
import type { Findings } from './findings.js'
import { isJsonObject, isShownKey, ownField } from './json-object.js'
import { Location } from './location.js'

// oxlint-disable-next-line typescript/unbound-method -- only ever used through call()
const hasOwn = Object.prototype.hasOwnProperty

type JsonObject = Readonly<Record<string, unknown>>

/** Values by the place of their field in the table; undefined where the field is absent. */
type Row = unknown[]

export class Struct<F extends Fields> extends Codec<FieldValues<F>> {
  readonly _tag = 'Struct'
  readonly fields: F
  private readonly names: readonly string[]
  private readonly table: readonly Field<unknown>[]
  private readonly ranks: ReadonlyMap<string, number>
  private readonly requiredCount: number

  constructor(name: string, fields: F) {
    super(name)
    this.fields = fields
    this.names = Object.keys(fields)
    this.table = Object.values(fields)
    this.ranks = new Map(this.names.map((field, rank) => [field, rank]))
    this.requiredCount = this.table.filter(({ isRequired }) => isRequired).length
  }

  /** The place of a field in the table; unknown fields share the place after the last. */
  rankOf(name: string): number {
    return this.ranks.get(name) ?? this.names.length
  }

  override read(value: unknown, at: Location, findings: Findings): FieldValues<F> | Failed {
    if (!isJsonObject(value)) {
      findings.add(at, value === null ? 'null' : 'not_a_dict')
      return FAILED
    }
    const row = this.readFields(value, new Location(at), findings)
    return (row === undefined ? value : this.objectOf(row)) as FieldValues<F>
  }

  /**
   * Reads the fields in the order in which they were sent; findings are sorted later. Nothing is copied unless
   * something differs from what was sent: an unknown field, another order, a field that was read differently.
   */
  private readFields(value: JsonObject, here: Location, findings: Findings): Row | undefined {
    let row: Row | undefined
    let next = 0
    let requiredSeen = 0
    for (const name in value) {
      const sent = hasOwn.call(value, name) ? value[name] : undefined
      const rank = this.names[next] === name ? next : this.rankOf(name)
      const field = this.table[rank]
      here.rank = rank
      if (sent === undefined || field === undefined) {
        row ??= this.rowOf(value, next)
        if (sent !== undefined) this.reportUnknown(name, here, findings)
        continue
      }
      here.key = name
      const read = field.codec.read(sent, here, findings)
      if (row === undefined && (read !== sent || rank < next)) row = this.rowOf(value, next)
      if (row !== undefined) row[rank] = read
      if (field.isRequired) requiredSeen++
      next = rank + 1
    }
    if (requiredSeen < this.requiredCount) this.reportMissing(value, here, findings)
    return row
  }

  /** The fields up to a place of the table, as sent. */
  private rowOf(value: JsonObject, end: number): Row {
    return this.names.map((name, rank) => (rank < end ? ownField(value, name) : undefined))
  }

  private objectOf(row: Row): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    row.forEach((read, rank) => {
      if (read !== undefined) object[this.names[rank] as string] = read
    })
    return object
  }

  private reportUnknown(name: string, here: Location, findings: Findings): void {
    here.key = isShownKey(name) ? name : undefined
    findings.add(here, 'unknown_field')
  }

  private reportMissing(value: JsonObject, here: Location, findings: Findings): void {
    this.table.forEach(({ isRequired }, rank) => {
      const name = this.names[rank] as string
      if (!isRequired || ownField(value, name) !== undefined) return
      here.key = name
      here.rank = rank
      findings.add(here, 'required')
    })
  }
}

/**
 * object of section 3 with the fields of a table. Codes: `null`, `not_a_dict`; `required` at a missing field;
 * `unknown_field` at every other key, which is dropped. Only own keys are read. The result has its fields in
 * table order; the input is not changed, and is itself the result if nothing has to be dropped or moved.
 */
export const struct = <F extends Fields>(name: string, fields: F): Struct<F> => new Struct(name, fields)
