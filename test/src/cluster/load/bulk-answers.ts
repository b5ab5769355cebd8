import type { BulkResults, Failure, ProcessedLine, StagedLine } from '@account-import/client'

/** What became of one account of a bulk request; the same as of a request for it alone. */
export type BulkAnswer<Done> =
  | Readonly<{ ok: true; status: number; done: Done }>
  | Pick<Failure, 'ok' | 'status' | 'code' | 'problem'>

/** Sends nothing again by itself: the load does. */
export const once = { retrySeconds: 0 }

/** The answers by account; who has none was in a request that broke off. */
const answered = async <Done extends StagedLine | ProcessedLine>(
  numbers: readonly string[],
  results: BulkResults<Done>,
): Promise<Readonly<{ answers: ReadonlyMap<string, BulkAnswer<Done>>; stopped: Failure | undefined }>> => {
  const answers = new Map<string, BulkAnswer<Done>>()
  for await (const result of results) {
    if (result.outcome === 'stopped') return { answers, stopped: result.failure }
    const number = numbers[result.line - 1] ?? ''
    if (result.outcome === 'done') answers.set(number, { ok: true, status: result.status, done: result })
    else answers.set(number, { ok: false, ...result })
  }
  return { answers, stopped: undefined }
}

/** Tells `hear` of every account of a bulk request, in their order. */
export const hearAll = async <Done extends StagedLine | ProcessedLine>(
  numbers: readonly string[],
  results: BulkResults<Done>,
  hear: (number: string, answer: BulkAnswer<Done>) => void,
): Promise<void> => {
  const { answers, stopped } = await answered(numbers, results)
  for (const number of numbers) {
    const answer = answers.get(number) ?? stopped
    if (answer === undefined) throw new Error(`${number} is left out of the answer`)
    hear(number, answer)
  }
}
