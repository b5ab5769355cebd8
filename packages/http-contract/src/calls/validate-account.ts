import * as t from 'io-ts'
import { call } from '../call.js'

export const validateAccountCall = call({
  method: 'POST',
  path: '/v1/data-import/validate-account/',
  scope: 'validate',
  statuses: [200],
  // The account as accepted: the fields that were sent and are known; transaction amounts as text.
  success: t.UnknownRecord,
})
