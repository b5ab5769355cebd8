import test, { type ExecutionContext } from 'ava'

type Case<S> = Readonly<{ port: string; title: string; alone?: boolean; run(subject: S): Promise<void> }>
type Make<S> = (t: ExecutionContext) => S | Promise<S>

/** Registers a test for each contract case. `on`: the adapter, in the title; `make` returns the subject of a case. */
export const holds = <S>(cases: readonly Case<S>[], on: string, make: Make<S>): void => {
  for (const { port, title, alone, run } of cases) {
    const register = alone === true ? test.serial : test
    register(`${port}: ${title} (${on})`, async (t) => {
      await t.notThrowsAsync(run(await make(t)))
    })
  }
}
