import type { SetCosts } from './take-turns.js'
import { textTable } from '../report/table.js'

/** What validating accounts costs. */
export type ValidationFigures = Readonly<{ sets: readonly SetCosts[] }>

const heads = ['accounts', 'KB', 'what', 'µs', 'accounts/s', 'to JSON.parse', 'of ajv'] as const

const ajvOf = (validators: SetCosts['validators']): number =>
  validators.find(({ name }) => name === 'ajv')?.microseconds ?? Number.NaN

const rowsOf = ({ set, kilobytes, parse, validators }: SetCosts): readonly (readonly string[])[] =>
  [parse, ...validators].map(({ name, microseconds }) => [
    set,
    kilobytes.toFixed(1),
    name,
    microseconds.toFixed(1),
    (1_000_000 / microseconds).toFixed(0),
    (microseconds / parse.microseconds).toFixed(2),
    (ajvOf(validators) / microseconds).toFixed(2),
  ])

const validationOf = (sets: readonly SetCosts[], name: string): number =>
  sets.find(({ set }) => set === name)?.validators[0]?.microseconds ?? Number.NaN

/** The table of the section on validation. */
export const validationText = ({ sets }: ValidationFigures): string => {
  const errors = validationOf(sets, '1 000 items, each wrong') / validationOf(sets, '1 000 items, valid')
  return [
    textTable([heads, ...sets.flatMap(rowsOf)]),
    '',
    'µs: for one account, the median of the rounds. JSON.parse starts from a string, the others from what it gives.',
    'of ajv: accounts per second, beside those of ajv, which validates the fields alone.',
    `A thousand errors take ${errors.toFixed(2)} times as long as the same account without errors.`,
  ].join('\n')
}
