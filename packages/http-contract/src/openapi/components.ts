import { catalogue, type ErrorCode } from '@account-import/core'
import { problemBody } from '../problems/problem-body.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { typeSchema } from '../schema/type-schema.js'

const codesWhere = (holds: (code: ErrorCode) => boolean): readonly ErrorCode[] =>
  (Object.keys(catalogue) as ErrorCode[]).filter(holds)

/** Codes that an entry of `errors` may have: always, or after the operator has raised a warning. */
const fieldCodes = codesWhere((code) => catalogue[code].where.includes('F') || catalogue[code].changeable)

const topLevelCodes = codesWhere((code) => catalogue[code].where.includes('T'))

const codeOf = (codes: readonly ErrorCode[], description: string): JsonSchema => ({
  type: 'string',
  enum: codes,
  description,
})

const problem = (): JsonSchema => {
  const { properties, ...rest } = typeSchema(problemBody) as { properties: JsonSchema }
  return {
    ...rest,
    properties: {
      ...properties,
      code: { $ref: '#/components/schemas/TopLevelCode' },
      errors: { type: 'array', items: { $ref: '#/components/schemas/FieldError' } },
    },
  }
}

/** What all answers share. Each code has a page at docs/errors/{code}/. */
export const problemSchemas: Readonly<Record<string, JsonSchema>> = {
  Problem: problem(),
  FieldError: {
    type: 'object',
    properties: {
      detail: { type: 'string', description: 'For people; may change, never holds a value of the payload.' },
      code: { $ref: '#/components/schemas/FieldCode' },
      attr: {
        type: 'string',
        description: 'Names and zero-based indexes joined by dots; empty for the payload.',
      },
    },
    required: ['detail', 'code', 'attr'],
  },
  TopLevelCode: codeOf(topLevelCodes, 'Code of a whole answer.'),
  FieldCode: codeOf(fieldCodes, 'Code of an entry of errors.'),
}
