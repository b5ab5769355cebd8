import type { Target } from '../servers/system.js'
import type { Scenario } from './scenario.js'

/**
 * What a target is asked to do in a scenario; undefined where it has nothing like it. Without bulk requests the floor
 * processes for 64
 * clients, and the peer stages one by one at 256.
 */
export const askedOf = (target: Target, scenario: Scenario): Scenario | undefined => {
  const { verb } = scenario
  if (target === 'floor' && verb === 'bulk-process') return { ...scenario, verb: 'process', clients: 64 }
  if (target !== 'fastify' || verb === 'validate' || verb === 'stage') return scenario
  return verb === 'bulk-stage' ? { ...scenario, verb: 'stage', clients: 256 } : undefined
}
