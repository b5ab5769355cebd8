import type { AuditUseCases, OperatorUseCases, PortFailure } from '@account-import/core'
import { E, type TaskEither } from '@account-import/core/adapter-kit'
import type { CliContext, CliIo, JsonOption } from './cli-io.js'
import { configured } from './configured.js'
import { failureOf, type Refused } from './operate.js'

type Pages<Item> = AsyncIterable<E.Either<PortFailure, readonly Item[]>>

/** How items are shown: as JSON, or as lines under a line of headings. */
export type Shown<Item> = Readonly<{
  json(item: Item): unknown
  headings: string
  text(item: Item): string
  /** Said when there is no item. */
  none: string
}>

/** Prints page by page, as fast as the output is read, until nobody reads it; answers the failure that ended it. */
const print = async <Item>(
  { out, err, drained }: CliIo,
  pages: Pages<Item>,
  shown: Shown<Item>,
  json: boolean,
): Promise<PortFailure | undefined> => {
  let count = 0
  if (json) out('[')
  for await (const page of pages) {
    if (E.isLeft(page)) return page.left
    for (const item of page.right) {
      if (json) out(`${count === 0 ? '' : ',\n'}${JSON.stringify(shown.json(item))}`)
      else out(`${count === 0 ? `${shown.headings}\n` : ''}${shown.text(item)}\n`)
      count += 1
    }
    if ((await drained?.()) === false) return undefined
  }
  if (json) out(']\n')
  else if (count === 0) err(`${shown.none}\n`)
  return undefined
}

/**
 * The action of an operator command that prints a long list in constant memory: with `--json` one array. When the
 * store fails on the way the array is not closed, and the exit code says so. Rejects with `StartError`.
 */
export const streamPages = async <Item>(
  { io, finish, operator }: CliContext,
  options: JsonOption,
  list: (operator: OperatorUseCases, audit: AuditUseCases) => TaskEither<Refused, Pages<Item>>,
  shown: Shown<Item>,
): Promise<void> => {
  const config = configured(io, 'operate')
  if (config._tag === 'Left') return finish(config, options)
  const { openService } = await import('../service/open-service.js')
  const service = await openService(config.right, {
    onlyExisting: true,
    operator: { who: `operator ${operator()}` },
  })
  try {
    const pages = await list(service.useCases.operator, service.useCases.audit)()
    if (E.isLeft(pages)) return finish(E.left(failureOf(pages.left)), options)
    const failure = await print(io, pages.right, shown, options.json === true)
    // A JSON document was begun already, so the failure is printed as text.
    if (failure !== undefined) finish(E.left(failureOf(failure)), {})
  } finally {
    await service.close()
  }
}
