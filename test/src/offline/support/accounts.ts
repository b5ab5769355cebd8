import { sample } from '../../support/samples.js'

type Json = Record<string, unknown>

const valid = [sample('gas-account.json'), sample('electricity-account.json')]
const invalid = sample('invalid-account.json')

/** A valid account of the samples, with a number and other fields of the test's own. */
export const account = (number: string, fields: Json = {}): Json => ({
  ...valid[0],
  external_account_number: number,
  ...fields,
})

/** The sample with an error of many kinds. */
export const invalidAccount = (number: string): Json => ({ ...invalid, external_account_number: number })

/** Lines of accounts: every seventh has errors, every eleventh a warning, with names of many bytes a character. */
export const manyLines = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => {
    const number = `N-${at}`
    if (at % 7 === 3) return JSON.stringify(invalidAccount(number))
    const fields = at % 11 === 5 ? { favourite_colour: 'azul' } : {}
    return JSON.stringify({
      ...valid[at % 2],
      external_account_number: number,
      ...fields,
      billing_name: 'Ñandú 漢字 🏠',
    })
  })
