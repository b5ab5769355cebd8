import type { Actor, BulkLine, RunReference, UseCases } from '@account-import/core'
import { E, type Either, pipe } from '@account-import/core/fp'
import {
  type Addresses,
  bodyLimitBytes,
  type Endpoint,
  fieldErrorsOf,
  idempotencyKeyHeader,
  idempotencyKeyPattern,
  importRunHeader,
  importRunLine,
  importRunLineHeader,
  Lines,
  linesType,
  type Refusal,
  takesIdempotencyKey,
  type TransportRefusal,
} from '@account-import/http-contract'
import { acceptable, addressDecoder, tokenSession } from './admission.js'
import { bodyBytes } from './body/body-bytes.js'
import { linesBody } from './body/lines-body.js'
import { parsedAccount, type ReadLong } from './body/json-body.js'
import { type AppContext, type Session, whenClosed } from './context.js'
import type { KeyLimits } from './limits/key-limits.js'
import type { BodyPool } from './limits/body-pool.js'
import type { Step } from './steps.js'

/** A request as Koa and the router give it. `gone`: the signal aborts when the client disconnects before the response is complete. */
export type Received = Readonly<{ ctx: AppContext; captures: readonly string[]; gone: () => AbortSignal }>

/** Refuses a request whose `Accept` has no type of the endpoint's responses. */
export const accept = ({ success }: Pick<Endpoint, 'success'>): Step<Pick<Received, 'ctx'>, object> => {
  const types = success instanceof Lines ? [linesType, 'application/json'] : undefined
  return ({ ctx }) => acceptable(ctx, types)
}

/** `by`: the actor that the audit log names. */
type Identified = Readonly<{ identity: Session; by: Actor }>

/** Refuses a request without a valid token or session, or that lacks a scope of the endpoint. */
export const authenticate =
  (
    useCases: Pick<UseCases, 'authenticate' | 'reauthenticate'>,
    { scopes }: Pick<Endpoint, 'scopes'>,
  ): Step<Pick<Received, 'ctx'>, Identified> =>
  async ({ ctx }) => {
    const { requestId, session } = ctx.state.accountImport
    const identity = session === undefined ? await tokenSession(ctx, useCases) : E.right(session)
    if (E.isLeft(identity)) return identity
    const { who } = identity.right
    return scopes.every((scope) => identity.right.scopes.includes(scope))
      ? E.right({ identity: identity.right, by: { who, requestId } })
      : E.left({ _tag: 'PermissionDenied' })
  }

/** `pace`: waits until the rate of the key allows so many more items; absent without a rate. */
type Paced = Readonly<{ pace: ((many: number) => Promise<void>) | undefined }>

/** Refuses a request beyond the limits of its key or organisation. */
export const limit =
  (limits: Pick<KeyLimits, 'admit' | 'pace'>): Step<Pick<Received, 'ctx' | 'gone'> & Identified, Paced> =>
  ({ ctx, gone, identity }) =>
    pipe(
      limits.admit(ctx, identity),
      E.map(() => ({ pace: limits.pace(identity.apiKeyId, gone) })),
    )

type Address = Readonly<{ params: Addresses[keyof Addresses]; query: Addresses[keyof Addresses] }>

const emptyAddress: Either<never, Address> = E.right({ params: {}, query: {} })

/** Decodes path parameters and query. */
export const decodeAddress = (
  endpoint: Pick<Endpoint, 'method' | 'path' | 'params' | 'query'>,
): Step<Pick<Received, 'ctx' | 'captures'>, Address> => {
  const decode = addressDecoder(endpoint)
  const isEmpty = endpoint.params === undefined && endpoint.query === undefined
  return ({ ctx, captures }) =>
    isEmpty && !ctx.url.includes('?') ? emptyAddress : decode(captures, ctx.query)
}

const keyName = idempotencyKeyHeader.toLowerCase()

type Keyed = Readonly<{ idempotencyKey: string | undefined }>

/** Reads the idempotency key, where the endpoint takes one. */
export const readIdempotencyKey = (
  endpoint: Parameters<typeof takesIdempotencyKey>[0],
): Step<Pick<Received, 'ctx'>, Keyed> => {
  const takesKey = takesIdempotencyKey(endpoint)
  return ({ ctx }) => {
    const idempotencyKey = takesKey ? ctx.req.headers[keyName] : undefined
    if (idempotencyKey === undefined) return E.right({ idempotencyKey })
    return typeof idempotencyKey === 'string' && idempotencyKeyPattern.test(idempotencyKey)
      ? E.right({ idempotencyKey })
      : E.left({ _tag: 'IdempotencyKeyNotValid' })
  }
}

const runName = importRunHeader.toLowerCase()

const lineName = importRunLineHeader.toLowerCase()

type Running = Readonly<{ importRun: RunReference | undefined }>

/** Reads the import run that a request names, and the line number of its first line in the source of the run. */
export const readImportRun =
  ({ namesRun }: Pick<Endpoint, 'namesRun'>): Step<Pick<Received, 'ctx'>, Running> =>
  ({ ctx: { req } }) => {
    const id = namesRun === true ? req.headers[runName] : undefined
    if (id === undefined) return E.right({ importRun: undefined })
    return pipe(
      importRunLine.decode({ [importRunLineHeader]: req.headers[lineName] }),
      E.bimap(
        (errors): Refusal => ({ _tag: 'RequestNotValid', errors: fieldErrorsOf(errors) }),
        // Repeated headers are joined by a comma, so they name no run.
        (read) => ({ importRun: { id: String(id), firstLine: read[importRunLineHeader] } }),
      ),
    )
  }

/** `bytes`: those of a JSON value, if the endpoint takes one; `lines`: read on demand. */
type Body = Readonly<{
  bytes: Uint8Array | undefined
  lines: AsyncIterable<BulkLine> | readonly never[]
}>

type BodyOptions = Readonly<{ pool: BodyPool; readLong?: ReadLong | undefined }>

/** Reads the body, last of all, so that a refused request costs no memory. */
export const readBody =
  (
    { pool, readLong }: BodyOptions,
    { body }: Pick<Endpoint, 'body'>,
  ): Step<Pick<Received, 'ctx' | 'gone'> & Identified & Paced, Body> =>
  async ({ ctx, gone, identity, pace }) => {
    const owner = { organisation: identity.organisation, key: identity.apiKeyId }
    if (body === undefined) return E.right({ bytes: undefined, lines: [] })
    if (body instanceof Lines) {
      const lines = await linesBody(ctx, {
        pace,
        hold: (bytes) => pool.take(owner, bytes, gone()),
        parse: (bytes) => parsedAccount(bytes, { readLong, gone }),
      })
      return E.isLeft(lines) ? lines : E.right({ bytes: undefined, lines: lines.right })
    }
    const hold = async (length: number): Promise<Either<TransportRefusal, unknown>> => {
      const room = await pool.takeSoon(owner, length, gone())
      if (E.isRight(room)) whenClosed(ctx.res, room.right)
      return room
    }
    return pipe(
      await bodyBytes(ctx, { limit: bodyLimitBytes, hold }),
      E.map((bytes) => ({ bytes, lines: [] })),
    )
  }
