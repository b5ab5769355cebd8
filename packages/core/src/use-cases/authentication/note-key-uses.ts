import { E } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { KeyUses } from '../../provided/key-uses.js'
import { plusSeconds } from '../../values/instant.js'
import type { UseCases } from '../signatures.js'

/** Servers that write at the same time write once: a use within so many seconds is near enough. */
const coarseSeconds = 60

/** Writes down when keys were used. What a store does not take now is tried again the next time. */
export const noteKeyUses =
  ({ apiKeys, keyUses }: Pick<Ports, 'apiKeys'> & Readonly<{ keyUses: KeyUses }>): UseCases['noteKeyUses'] =>
  () =>
  async () => {
    const uses = [...keyUses.take()]
    for (const [index, [id, at]] of uses.entries()) {
      const noted = await apiKeys.noteUse(id, at, plusSeconds(at, -coarseSeconds))()
      if (E.isRight(noted)) continue
      keyUses.giveBack(uses.slice(index))
      return noted
    }
    return E.right(uses.length)
  }
