import {
  guardedVendor,
  VendorFailure,
  type ClearAnswer,
  type GuardOptions,
  type PaymentVendor,
  type VendorAsked,
  type VendorFailureKind,
} from '@account-import/adapter-payment-vendor'
import type { PaymentVerification } from '@account-import/core'

export const verified: ClearAnswer = { _tag: 'verified', details: { brand: 'visa', last4: '4242' } }

/** What each try meets, in order; the last one from then on. */
export type Script = readonly (ClearAnswer | VendorFailureKind | Error | 'hangs')[]

/** No pauses, and no breaker, unless the test wants them. */
const quick = { pauseMilliseconds: 0, breakAfter: 1_000_000 }

export type Guarded = Readonly<{
  vendor: PaymentVendor
  asked: readonly VendorAsked[]
  tries(): number
  signals: readonly AbortSignal[]
  ask(): Promise<PaymentVerification>
  play(script: Script): void
}>

/** A guarded vendor whose tries meet what the script says. */
export const guarded = (first: Script, options: GuardOptions = {}): Guarded => {
  let script = first
  let played = 0
  let tries = 0
  const asked: VendorAsked[] = []
  const signals: AbortSignal[] = []
  const ask = async (_: unknown, signal: AbortSignal): Promise<ClearAnswer> => {
    tries += 1
    signals.push(signal)
    const scene = script[Math.min(played, script.length - 1)] ?? verified
    played += 1
    if (scene === 'hangs') return new Promise(() => undefined)
    if (typeof scene === 'string') throw new VendorFailure(scene)
    if (scene instanceof Error) throw scene
    return scene
  }
  const vendor = guardedVendor(
    { code: 'OWN', takesReference: () => true, ask },
    { onAsked: (one) => asked.push(one), ...options, limits: { ...quick, ...options.limits } },
  )
  return {
    vendor,
    asked,
    signals,
    tries: () => tries,
    ask: () => vendor.verify({ organisation: 'LLUM', reference: 'canary-reference', type: 'CARD' }),
    play: (next) => {
      script = next
      played = 0
    },
  }
}
