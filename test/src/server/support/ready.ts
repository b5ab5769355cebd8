/** The answer of a server's probe, and its duration. */
export type Ready = Readonly<{
  status: number
  checks: Readonly<Record<string, unknown>>
  body: Readonly<Record<string, unknown>>
  milliseconds: number
}>

/** Requests `/readyz`. */
export const ready = async (address: string): Promise<Ready> => {
  const begun = performance.now()
  const answer = await fetch(`${address}/readyz`)
  const body = (await answer.json()) as Ready['body'] & Pick<Ready, 'checks'>
  return { status: answer.status, checks: body.checks, body, milliseconds: performance.now() - begun }
}
