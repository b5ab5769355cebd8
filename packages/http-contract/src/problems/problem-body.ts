import * as t from 'io-ts'

const fieldError = t.readonly(t.type({ detail: t.string, code: t.string, attr: t.string }), 'FieldError')

/**
 * The body of every answer that is no success. `errors` is empty unless the input failed validation. The optional
 * fields stand beside these where the specification asks for them; `request_id` only on status 500.
 */
export const problemBody = t.readonly(
  t.intersection([
    t.type({ detail: t.string, code: t.string, errors: t.readonlyArray(fieldError) }),
    t.partial({ external_account_number: t.string, platform_account_number: t.string, request_id: t.string }),
  ]),
  'Problem',
)
export type ProblemBody = t.TypeOf<typeof problemBody>
