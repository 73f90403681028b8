type ProjectFiles = Readonly<
  Record<'README.md' | 'tools/planner.sh' | 'tools/worker.sh' | 'muster.yaml', string>
>

export type ShellTask = { readonly description: string; readonly script: string; readonly extra?: object }

/**
 * The files of a project whose agents are shell scripts. The planner lists these tasks in the first cycle and reports
 * the goal as reached after that. The worker runs the script of its task.
 */
export function shellProject(
  tasks: readonly ShellTask[],
  options: {
    readonly checks?: readonly string[]
    readonly limits?: object
    readonly taskList?: 'none' | 'branch'
    /** Every worker runs this before the script of its task. */
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
    ...(options.taskList === undefined ? {} : { taskList: options.taskList }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  }
  return {
    'README.md': '# Example\n',
    'tools/planner.sh': `${planner}\n`,
    'tools/worker.sh': `${worker}\n`,
    'muster.yaml': JSON.stringify(configuration, undefined, 2),
  }
}

/** A script that writes a file and commits it. */
export function commitFile(name: string, text: string): string {
  return `echo "writing ${name}"; printf '%s\\n' '${text}' > ${name}; git add ${name}; git commit -q -m 'Add ${name}'`
}
