import type { ProjectId } from '../../../../domain/id.ts'
import type { CollectRequest, TreeRequest, WarmRequest } from '../../../../ports/working-trees.ts'
import { createHub, type HubOptions } from '../create-hub.ts'

/** One call of the hub in a separate process, which a test can kill. */
export type ChildTask = {
  readonly options: HubOptions
  readonly call:
    | { readonly type: 'open-tree'; readonly request: TreeRequest }
    | { readonly type: 'collect'; readonly request: CollectRequest }
    | { readonly type: 'warm-trees'; readonly request: WarmRequest }
    | {
        readonly type: 'merge-and-stay'
        readonly project: ProjectId
        readonly onto: string
        readonly tips: readonly string[]
      }
    | { readonly type: 'remove-tree'; readonly directory: string }
}

const { options, call } = JSON.parse(process.argv[2] ?? '') as ChildTask
const hub = createHub(options)
process.stdout.write('ready\n')
if (call.type === 'open-tree') await hub.trees.open(call.request)
else if (call.type === 'collect') await hub.trees.collect(call.request)
else if (call.type === 'warm-trees') await hub.trees.warm(call.request)
else if (call.type === 'remove-tree') await hub.trees.remove(call.directory)
else {
  await hub.commits.mergeBatch(call.project, { onto: call.onto, tips: call.tips, messageOf: () => 'merged' })
  process.stdout.write('merged\n')
  setInterval(() => undefined, 60_000)
}
