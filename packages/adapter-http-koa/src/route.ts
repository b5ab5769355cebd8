import type { SentPayload, UseCases } from '@account-import/core'
import {
  E,
  type Either,
  externalAccountNumber,
  importSupplierCode,
  readField,
} from '@account-import/core/adapter-kit'
import type { Endpoint, EndpointRequest, Refusal } from '@account-import/http-contract'
import { refusedLine, type Reply, replyOf } from './answers.js'
import type { RequestRecord } from './context.js'

/** Remembers which account a body names, whether the rest of it is valid or not: a refusal may say something of it too. */
const noteAccount = (record: RequestRecord, { payload }: SentPayload): void => {
  const number = readField(externalAccountNumber, payload, 'external_account_number')
  if (number === undefined) return
  const importSupplier =
    readField(importSupplierCode, payload, 'import_supplier') ??
    readField(importSupplierCode, payload, 'import_supplier_code')
  if (importSupplier !== undefined) record.account = { importSupplier, externalAccountNumber: number }
}

/** Calls an endpoint, and notes for the log and for what is kept of the answer what the request is about. */
export const called = async (
  endpoint: Endpoint,
  useCases: UseCases,
  {
    record,
    ...request
  }: Omit<EndpointRequest, 'record' | 'refusedLine'> & Readonly<{ record: RequestRecord }>,
): Promise<Either<Refusal, Reply>> => {
  noteAccount(record, request.body)
  if (endpoint.changesNothing?.(request.body.payload) === true) record.changesNothing = true
  const answer = await endpoint.call(useCases, {
    ...request,
    record,
    refusedLine: (refusal) => refusedLine(record, refusal),
  })
  return E.isLeft(answer) ? answer : E.right(replyOf(answer.right))
}
