import type { Command } from 'commander'
import type { ForecastFlags } from './commands/forecast.ts'
import type { ShowPlaybookFlags } from './commands/playbooks.ts'
import type { SimulateFlags } from './commands/simulate.ts'
import type { Declare, Start } from './declare.ts'
import { inputFlag } from './parse/flag-parsers.ts'

function declareForecast(playbooks: Command, start: Start): void {
  playbooks
    .command('forecast')
    .description('estimate the cost and duration of a run from earlier runs')
    .argument('<playbook>', 'name of the playbook')
    .option('--input <name=value>', 'set an input of the playbook (repeatable)', inputFlag)
    .action((playbook: string, flags: ForecastFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/forecast.ts')).forecastCommand(needs, playbook, flags),
      ),
    )
}

const PLAYBOOK = 'name of the playbook, or a path to its folder'

/** The commands about playbooks. */
export function declarePlaybooks(declare: Declare, start: Start): void {
  const playbooks = declare('playbooks', 'list, show, validate, simulate, forecast and write playbooks')
  playbooks
    .command('list')
    .description("list this repository's playbooks, your own and those shipped with Muster")
    .action((_flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/playbooks.ts')).listPlaybooksCommand(needs)),
    )
  playbooks
    .command('show')
    .description('draw the stages of a playbook, with its inputs, roles and limits')
    .argument('<playbook>', PLAYBOOK)
    .option('--mermaid', 'print a Mermaid flowchart instead')
    .action((playbook: string, flags: ShowPlaybookFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/playbooks.ts')).showPlaybookCommand(needs, playbook, flags),
      ),
    )
  playbooks
    .command('validate')
    .description('report every problem in a playbook; if there is none, print the most visits a run can make')
    .argument('[playbook]', `${PLAYBOOK} (default: all of this repository's and your own)`)
    .action((playbook: string | undefined, _flags: unknown, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/playbooks.ts')).validatePlaybookCommand(needs, playbook),
      ),
    )
  playbooks
    .command('simulate')
    .description('run a playbook with simulated agents in a temporary home, and print its route')
    .argument('<playbook>', PLAYBOOK)
    .option(
      '--outcomes <stage=outcomes>',
      'outcomes of a stage, one for each time it is entered, separated by commas; the last one repeats (repeatable)',
      inputFlag,
    )
    .option('--answer <stage.field=value>', "set a field of a stage's answer (repeatable)", inputFlag)
    .option('--input <name=value>', 'set an input of the playbook (repeatable)', inputFlag)
    .action((playbook: string, flags: SimulateFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/simulate.ts')).simulateCommand(needs, playbook, flags),
      ),
    )
  declareForecast(playbooks, start)
  playbooks
    .command('new')
    .description("create a commented playbook in this repository's .muster/playbooks")
    .argument('<name>', 'name of the new playbook')
    .action((name: string, _flags: unknown, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/new-playbook.ts')).newPlaybookCommand(needs, name),
      ),
    )
  playbooks
    .command('schema')
    .description('print the JSON Schema of playbook.yaml, for editors')
    .action((_flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/playbooks.ts')).playbookSchemaCommand(needs)),
    )
}
