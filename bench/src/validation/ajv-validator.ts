import { accountPayloadSchema } from '@account-import/http-contract/openapi'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Validator } from './validator.js'

const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(accountPayloadSchema)

/** The JSON Schema of the same fields, compiled by ajv: it knows no rule over several fields. */
export const ajv: Validator = { name: 'ajv', validate: (payload) => validate(payload) }
