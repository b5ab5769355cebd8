import * as t from 'io-ts'

const integerText = /^-?(?:0|[1-9][0-9]*)$/

/**
 * A whole number in a query parameter. Failures carry a code in the message slot: `invalid` (no plain decimal
 * integer, or the parameter is there twice), `min_value`, `max_value`.
 */
export class QueryIntegerType extends t.Type<number, string, unknown> {
  readonly min: number
  readonly max: number
  readonly form: string

  constructor(min: number, max: number) {
    super(
      `Integer${min}To${max}`,
      (value): value is number => Number.isInteger(value),
      (value, context) => {
        if (typeof value !== 'string' || !integerText.test(value)) return t.failure(value, context, 'invalid')
        const number = Number(value)
        if (number < min) return t.failure(value, context, 'min_value')
        return number > max ? t.failure(value, context, 'max_value') : t.success(number)
      },
      String,
    )
    this.min = min
    this.max = max
    this.form = `a whole number from ${min} to ${max}`
  }
}

export const queryInteger = (min: number, max: number): QueryIntegerType => new QueryIntegerType(min, max)
