/** Agents for the `command` provider, as small shell programs: what a user's own agent would do. */

type ProjectFiles = Readonly<
  Record<'README.md' | 'tools/planner.sh' | 'tools/worker.sh' | 'muster.yaml', string>
>

export type ShellTask = { readonly description: string; readonly script: string; readonly extra?: object }

/**
 * A muster.yaml whose planner prints these tasks in its first cycle and says done after that, and whose worker
 * runs the script of the task it is given.
 */
export function shellProject(
  tasks: readonly ShellTask[],
  options: {
    readonly checks?: readonly string[]
    readonly limits?: object
    /** Run by every worker before it looks at its task. */
    readonly prelude?: string
    readonly environment?: Readonly<Record<string, string>>
  } = {},
): ProjectFiles {
  const answer = {
    type: 'result',
    tasks: tasks.map(({ description, extra }) => ({
      description,
      files: [],
      parallel: true,
      priority: 'P1',
      ...extra,
    })),
    reasoning: 'they are needed',
    blockers: [],
    done: false,
  }
  const done = { type: 'result', tasks: [], done: true, evidence: ['all files are there'] }
  const planner = [
    '#!/bin/sh',
    'echo "looking at the repository"',
    `if [ "$MUSTER_CYCLE" = 1 ]; then cat <<'END'`,
    JSON.stringify(answer),
    'END',
    `else cat <<'END'`,
    JSON.stringify(done),
    'END',
    'fi',
  ].join('\n')
  const worker = [
    '#!/bin/sh',
    'set -e',
    options.prelude ?? '',
    ...tasks.map(
      (task) => `if grep -qF '${task.description}' "$MUSTER_PROMPT_FILE"; then\n${task.script}\nexit 0\nfi`,
    ),
    'echo "no such task" >&2; exit 9',
  ].join('\n')
  const configuration = {
    version: 1,
    checks: options.checks ?? ['test -f README.md'],
    agents: {
      planner: { provider: 'command', command: ['/bin/sh', 'tools/planner.sh'], roles: ['planner'] },
      worker: {
        provider: 'command',
        command: ['/bin/sh', 'tools/worker.sh'],
        roles: ['worker'],
        env: options.environment ?? {},
      },
    },
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  }
  return {
    'README.md': '# Example\n',
    'tools/planner.sh': `${planner}\n`,
    'tools/worker.sh': `${worker}\n`,
    'muster.yaml': JSON.stringify(configuration, undefined, 2),
  }
}

/** Writes a file and commits it, as an agent does. */
export function commitFile(name: string, text: string): string {
  return `echo "writing ${name}"; printf '%s\\n' '${text}' > ${name}; git add ${name}; git commit -q -m 'Add ${name}'`
}
