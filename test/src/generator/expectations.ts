import type { FieldCode } from '@account-import/core'
import { checkAccountPayload, E, type Checked } from '@account-import/core/adapter-kit'
import {
  generateAccounts,
  type GeneratedAccount,
  type GeneratorOptions,
} from '@account-import/example-generate-accounts'
import { published } from '../support/published.js'
import { contextWith } from '../validation/support.js'

type Entry = Readonly<{ attr: string; code: FieldCode }>

const inShort = (entries: readonly Entry[]): readonly string[] =>
  entries.map(({ attr, code }) => `${attr} ${code}`).sort()

/** What was found, or should be, in an order of its own. */
export type Found = Readonly<{ errors: readonly string[]; warnings: readonly string[] }>

const foundOf = (checked: Checked<unknown>): Found =>
  E.isLeft(checked)
    ? { errors: inShort(checked.left.errors), warnings: inShort(checked.left.warnings) }
    : { errors: [], warnings: inShort(checked.right.warnings) }

/** What should be found in a generated account. */
export const expectedOf = ({ expected: { errors, warnings } }: GeneratedAccount): Found => ({
  errors: inShort(errors),
  warnings: inShort(warnings),
})

/** What is found in a generated account as it arrives, on a day. */
export const foundIn = ({ payload }: GeneratedAccount, today: string): Found =>
  foundOf(
    checkAccountPayload(JSON.parse(JSON.stringify(payload)), { ...contextWith(), today: today as never }),
  )

/** All codes that generated accounts are made to have. */
export const codesIn = (options: Partial<GeneratorOptions>): ReadonlySet<string> => {
  const codes = new Set<string>()
  for (const { expected } of generateAccounts(options))
    for (const { code } of [...expected.errors, ...expected.warnings]) codes.add(code)
  return codes
}

/** Codes of fields, and of warnings, in the order of the catalogue. */
export const fieldCodes: readonly string[] = [...published]
  .filter(([, { where }]) => where.includes('F') || where.includes('W'))
  .map(([code]) => code)
