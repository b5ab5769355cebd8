import type { ComponentState, HealthCode } from '@account-import/adapter-http-koa'
import type { Checked } from './checked.js'

/** A component whose state is not what it was at the last check. */
export type HealthChange = Readonly<{
  component: string
  state: ComponentState['state']
  code?: HealthCode
  /** As the system or driver named it; no address and no secret. */
  reason?: string
  /** The fault, in a sentence for whoever has to mend it; a path or the name of a user, no secret. */
  advice?: string
}>

export type OnHealthChange = (change: HealthChange) => void

/** Reports only changes between checks; a component that works from the beginning is no change. */
export const healthChanges = (onChange: OnHealthChange): ((checked: Checked) => void) => {
  const known = new Map<string, string>()
  return ({ components, reasons }) => {
    for (const [component, found] of Object.entries(components)) {
      const code = found.state === 'ok' ? undefined : found.code
      const text = `${found.state} ${code}`
      const before = known.get(component)
      known.set(component, text)
      if (before === text || (before === undefined && found.state === 'ok')) continue
      const { code: reason, advice } = reasons?.[component] ?? {}
      onChange({
        component,
        state: found.state,
        ...(code && { code }),
        ...(reason && { reason }),
        ...(advice && { advice }),
      })
    }
  }
}
