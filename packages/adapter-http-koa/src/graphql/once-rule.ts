import type { FieldNode, ValidationRule } from 'graphql'
import { GraphQLError } from 'graphql'

/**
 * Refuses documents that name a field more than once, under whatever alias, in whatever operation or fragment.
 * One request must not try or issue many credentials: limits count requests.
 */
export const onceRule =
  (field: string): ValidationRule =>
  (context) => {
    let times = 0
    return {
      Field(node: FieldNode) {
        if (node.name.value !== field) return
        times += 1
        if (times === 2)
          context.reportError(new GraphQLError(`A document may ask for ${field} only once.`, { nodes: node }))
      },
    }
  }
