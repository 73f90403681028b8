import { newPlaybookFiles } from '../../src/cli/playbook/new-playbook-text.ts'
import { startJob } from '../support/run-job.ts'
import { APPROVED, answering, runProject, WRITE } from '../support/run-project.ts'
import { take } from '../support/take.ts'
import { until, waitForJob } from '../support/test-daemon.ts'
import type { World } from './documents-world.ts'
import type { Plans } from './plans.ts'
import type { Scene } from './run-documented.ts'

/** In a repository with the playbook `mine`, as `muster playbooks new` writes it. */
async function withMine({ newRepository }: World, folder: string): Promise<Scene> {
  const files = Object.entries(newPlaybookFiles('mine'))
  const placed = files.map(([name, text]) => [`.muster/playbooks/mine/${name}`, text])
  return { cwd: (await newRepository(folder, Object.fromEntries(placed))).path }
}

/** In a repository with a run that has ended, whose reviewer works, or that was cancelled while its reviewer worked. */
async function withRun(
  { newRepository, client }: World,
  folder: string,
  end: 'ended' | 'working' | 'cancelled',
) {
  const reviewer = end === 'ended' ? APPROVED : 'sleep 600'
  const files = { ...runProject({ developer: WRITE, reviewer }), 'strict.md': 'Be strict.' }
  const repository = await newRepository(folder, files)
  const jobId = await startJob(client, repository, { playbook: { name: 'reviewed', inputs: {} } })
  const findRun = async () => take(await client.listRuns({ job: jobId })).items[0]
  if (end === 'ended') await waitForJob(client, jobId)
  else await until(async () => (await findRun())?.visits.some(({ stage }) => stage === 'review') === true)
  if (end === 'cancelled') take(await client.cancelJob(jobId))
  const run = await findRun()
  return { cwd: repository.path, ids: { RUN: run?.id ?? '', TASK: run?.taskId ?? '' } }
}

const sharedRuns = new WeakMap<World, ReturnType<typeof withRun>>()

/** In a repository with a run that has ended, which all commands share that only read it. */
function withSharedRun(world: World): ReturnType<typeof withRun> {
  const shared = sharedRuns.get(world) ?? withRun(world, 'shared-run', 'ended')
  sharedRuns.set(world, shared)
  return shared
}

/** Commands about playbooks. */
export const PLAYBOOK_PLANS: Plans = {
  'muster start reviewed TEXT': async ({ newRepository }) => ({
    cwd: (await newRepository('followed', runProject({ developer: WRITE, reviewer: APPROVED }))).path,
    shows: 'completed: the task is done',
  }),
  'muster start best-of @GOAL.md --input n=4': async ({ newRepository }) => {
    const judge = answering({ choice: 1, reason: 'it is the first' })
    const files = { ...runProject({ candidate: WRITE, judge }), 'GOAL.md': 'Write a line.' }
    return { cwd: (await newRepository('best-of', files)).path, shows: 'completed: the task is done' }
  },
  'muster start reviewed @GOAL.md --agent developer=codex': async ({ newRepository }) => {
    const program = { provider: 'command', command: ['/bin/sh', 'tools/agent.sh'] }
    const agents = { one: { ...program, roles: ['worker', 'reviewer'] }, codex: program }
    const files = runProject({ developer: WRITE, reviewer: APPROVED }, { agents })
    const repository = await newRepository('named-agent', { ...files, 'GOAL.md': 'Write a line.' })
    return { cwd: repository.path, shows: 'developer codex' }
  },
  'muster stop RUN --reason TEXT': async (world) => ({
    ...(await withRun(world, 'stopped', 'working')),
    shows: 'is stopped, 1 program asked to exit',
  }),
  'muster kill RUN': async (world) => ({
    ...(await withRun(world, 'killed', 'working')),
    shows: 'is killed, 1 program killed',
  }),
  'muster resume RUN': async (world) => ({
    ...(await withRun(world, 'resumed', 'cancelled')),
    shows: 'continues in',
  }),
  'muster fork RUN --at review': async (world) => ({
    ...(await withRun(world, 'forked', 'ended')),
    shows: 'completed: the task is done',
  }),
  'muster fork RUN --at 1 --prompt implement=./strict.md --agent developer=two': async (world) => ({
    ...(await withRun(world, 'forked-anew', 'ended')),
    shows: 'developer two',
  }),
  'muster fork RUN --at review --skip review --detach': async (world) => ({
    ...(await withRun(world, 'forked-without', 'ended')),
    shows: 'forked from',
  }),
  'muster messages': async (world) => ({
    ...(await withSharedRun(world)),
    shows: 'orchestrator -> developer task',
  }),
  'muster messages TASK': async (world) => ({
    ...(await withSharedRun(world)),
    shows: 'reviewer -> orchestrator review',
  }),
  'muster send role:reviewer TEXT --run RUN': async (world) => ({
    ...(await withRun(world, 'addressed', 'working')),
    shows: 'sent to reviewer of run_',
  }),
  'muster send RUN TEXT --priority high --subject deadline': async (world) => ({
    ...(await withRun(world, 'told', 'working')),
    shows: 'sent to everyone of run_',
  }),
  'muster messages RUN': async (world) => ({
    ...(await withSharedRun(world)),
    shows: 'orchestrator -> developer task',
  }),
  ...Object.fromEntries(
    ['logs reviewer -f', 'logs RUN reviewer', 'logs reviewer --run RUN'].map((words) => [
      `muster ${words}`,
      async (world: World) => ({ ...(await withSharedRun(world)), shows: 'reviewer in run_' }),
    ]),
  ),
  'muster logs RUN': async (world) => ({ ...(await withSharedRun(world)), shows: 'of reviewed' }),
  'muster runs diff RUN RUN': async (world) => ({
    ...(await withSharedRun(world)),
    shows: 'both went the same way',
  }),
  'muster runs diff RUN RUN --patch': async (world) => ({
    ...(await withSharedRun(world)),
    shows: 'their results have the same files',
  }),
  'muster runs show RUN': async (world) => ({ ...(await withSharedRun(world)), shows: 'APPROVED' }),
  'muster history': async (world) => ({ ...(await withSharedRun(world)), shows: 'reviewed' }),
  'muster clean RUN': async (world) => ({ ...(await withSharedRun(world)), code: 2, shows: '--yes' }),
  'muster export RUN': async (world) => ({
    ...(await withSharedRun(world)),
    shows: 'The run of reviewed is complete',
  }),
  'muster export RUN --format json --output result.json': async (world) => ({
    ...(await withSharedRun(world)),
    shows: 'is exported to',
  }),
  'muster findings': async (world) => ({
    ...(await withSharedRun(world)),
    shows: 'no findings',
  }),
  'muster artifacts': async (world) => ({
    ...(await withSharedRun(world)),
    shows: 'code v1 approved',
  }),
  'muster decisions': async (world) => ({
    ...(await withSharedRun(world)),
    shows: 'no decisions',
  }),
  'muster playbooks list': async ({ directory }) => ({ cwd: directory, shows: 'best-of' }),
  'muster playbooks show reviewed': async ({ directory }) => ({
    cwd: directory,
    shows: '-> revise, up to 3 times, then end.partial',
  }),
  'muster playbooks show reviewed --mermaid': async ({ directory }) => ({
    cwd: directory,
    shows: 'flowchart TD',
  }),
  'muster playbooks simulate reviewed --outcomes review=NEEDS_REVISION,APPROVED': async ({ directory }) => ({
    cwd: directory,
    shows: 'NEEDS_REVISION -> revise  (1 of 3)',
  }),
  'muster playbooks forecast reviewed': async ({ directory }) => ({
    cwd: directory,
    shows: 'reviewer',
  }),
  'muster playbooks new mine': async ({ newRepository }) => ({
    cwd: (await newRepository('new-playbook')).path,
    shows: 'wrote .muster/playbooks/mine/playbook.yaml',
  }),
  'muster playbooks validate mine': async (world) => ({
    ...(await withMine(world, 'validated-playbook')),
    shows: 'valid mine',
  }),
  'muster playbooks validate': async (world) => ({
    ...(await withMine(world, 'validated-playbooks')),
    shows: 'valid mine',
  }),
  'muster playbooks schema > .muster/playbooks/playbook.schema.json': (world) =>
    withMine(world, 'playbook-schema'),
}
