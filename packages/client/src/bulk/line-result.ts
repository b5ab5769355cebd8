import { isErrorCode } from '@account-import/core'
import type { BulkResultLine } from '@account-import/http-contract'
import type { FailedLine, ProcessedLine, StagedLine, ValidLine } from './bulk-result.js'

type Read<Done> = (line: number, answer: BulkResultLine) => Done | FailedLine

const failedOr =
  <Done>(done: (line: number, answer: BulkResultLine) => Done): Read<Done> =>
  (line, answer) => {
    const { status, error, warnings = 0, external_account_number: externalAccountNumber } = answer
    if (error === undefined) return done(line, answer)
    const code = isErrorCode(error.code) ? error.code : 'unknown_code'
    return {
      outcome: 'failed',
      line,
      status,
      code,
      problem: error,
      externalAccountNumber,
      warningsTotal: warnings,
    }
  }

const shared = (line: number, { external_account_number = '', warnings = 0 }: BulkResultLine) =>
  ({
    outcome: 'done',
    line,
    externalAccountNumber: external_account_number,
    warningsTotal: warnings,
  }) as const

export const validLine: Read<ValidLine> = failedOr((line, answer) => ({
  ...shared(line, answer),
  status: 200,
}))

export const stagedLine: Read<StagedLine> = failedOr((line, answer) => ({
  ...shared(line, answer),
  status: answer.status === 201 ? 201 : 200,
}))

export const processedLine: Read<ProcessedLine> = failedOr((line, answer) => ({
  ...shared(line, answer),
  status: answer.status === 201 ? 201 : 200,
  platformAccountNumber: answer.platform_account_number,
}))
