import type { FieldError } from '@account-import/core'
import type { TextPosition } from './text-position.js'

/** Every way in which a request is refused before, or instead of, its use case. */
export type TransportRefusal =
  /** No such path, or a path parameter that is malformed. */
  | Readonly<{ _tag: 'NothingHere' }>
  | Readonly<{ _tag: 'MethodNotAllowed'; allow: readonly string[] }>
  | Readonly<{ _tag: 'NotAcceptable' }>
  | Readonly<{ _tag: 'NotAuthenticated' }>
  | Readonly<{ _tag: 'PermissionDenied' }>
  | Readonly<{ _tag: 'RequestNotValid'; errors: readonly FieldError[] }>
  | Readonly<{ _tag: 'IdempotencyKeyNotValid' }>
  | Readonly<{ _tag: 'UnsupportedMediaType' }>
  /** `wrong`: where not the length of the body or line is too large, but how it is packed, or how much of it is blank. */
  | Readonly<{ _tag: 'PayloadTooLarge'; limitBytes: number; wrong?: 'ratio' | 'blank_lines' }>
  | Readonly<{ _tag: 'PayloadTooDeep' }>
  | Readonly<{ _tag: 'NotUtf8' }>
  /** `at`: where the text is no JSON any more; absent where it could not be read so far. */
  | Readonly<{ _tag: 'NotJson'; at?: TextPosition }>
  /** Not HTTP, or its headers are too large or came too slowly; `wrong`: what of it, where that is known. */
  | Readonly<{ _tag: 'NotHttp'; status: 400 | 408 | 431; wrong?: 'host' | 'headers' | 'target' | 'version' }>
  /** The key, or the connection, has asked for more than it may at one time or in a window of time. */
  | Readonly<{ _tag: 'Throttled'; retryAfterSeconds: number }>
  /** The service has more work than it can do in time. */
  | Readonly<{ _tag: 'ServiceBusy'; retryAfterSeconds: number }>
  /** A failure of the service itself. The cause is for the log only. */
  | Readonly<{ _tag: 'Unexpected'; cause: unknown }>
