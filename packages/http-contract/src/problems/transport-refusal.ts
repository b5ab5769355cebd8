import type { FieldError } from '@account-import/core'

/** Every way in which a request is refused before, or instead of, its use case. */
export type TransportRefusal =
  /** No such path, or a path parameter that is malformed. */
  | Readonly<{ _tag: 'NothingHere' }>
  | Readonly<{ _tag: 'MethodNotAllowed'; allow: readonly string[] }>
  | Readonly<{ _tag: 'NotAcceptable' }>
  | Readonly<{ _tag: 'NotAuthenticated' }>
  | Readonly<{ _tag: 'PermissionDenied' }>
  | Readonly<{ _tag: 'RequestNotValid'; errors: readonly FieldError[] }>
  | Readonly<{ _tag: 'UnsupportedMediaType' }>
  | Readonly<{ _tag: 'PayloadTooLarge'; limitBytes: number }>
  | Readonly<{ _tag: 'PayloadTooDeep' }>
  | Readonly<{ _tag: 'NotUtf8' }>
  | Readonly<{ _tag: 'NotJson' }>
  /** Not HTTP, or its headers are too large or came too slowly. */
  | Readonly<{ _tag: 'NotHttp'; status: 400 | 408 | 431 }>
  /** A failure of the service itself. The cause is for the log only. */
  | Readonly<{ _tag: 'Unexpected'; cause: unknown }>
