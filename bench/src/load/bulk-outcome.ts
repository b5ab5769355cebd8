import type { Outcome } from './closed-loop.js'

type Line = Readonly<{ status?: number; summary?: object }>

/** Counts the lines of an answer while they come; one that was cut has no summary, and that is a failure too. */
export const bulkOutcome = async (response: Response): Promise<Outcome> => {
  if (response.status !== 200 || response.body === null)
    return { statuses: { [response.status]: 1 }, failure: await response.text() }
  const statuses: Record<string, number> = {}
  let failure: string | undefined = 'The answer was cut'
  let refused: string | undefined
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { status, summary } = JSON.parse(line) as Line
      if (summary !== undefined) failure = undefined
      if (status === undefined) continue
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status >= 300) refused ??= line
    }
  }
  return { statuses, failure: failure ?? refused }
}
