import type { BrokenPlaybook } from './broken-playbook.ts'

/** Playbooks whose references, conditions or routes are wrong. */
export const BAD_ROUTES: Readonly<Record<string, BrokenPlaybook>> = {
  'unknown role': {
    edit: { '    role: developer\n    times': '    role: developr\n    times' },
    faults: ['58:5 stages.tries.role: there is no role "developr"; did you mean "developer"?'],
  },
  'unknown reference': {
    edit: { 'sees: [diff,': 'sees: [dif,' },
    faults: ['38:12 stages.review.sees[0]: there is no stage "dif"; did you mean "diff"?'],
  },
  'unknown reference without a close name': {
    edit: { 'sees: [diff,': 'sees: [zebra,' },
    faults: [
      '38:12 stages.review.sees[0]: there is no stage "zebra"; there are: goal, inputs, diff, criteria, route, design, implement, check, review, revise, approval, tries, verify, child',
    ],
  },
  'malformed reference': {
    edit: { 'sees: [diff,': 'sees: [Diff!,' },
    faults: ['38:12 stages.review.sees[0]: "Diff!" must be a name such as goal, review.issues or design?'],
  },
  'field of the diff': {
    edit: { 'sees: [diff,': 'sees: [diff.files,' },
    faults: ['38:12 stages.review.sees[0]: "diff" has no fields'],
  },
  'reference to all inputs': {
    edit: { 'sees: [diff,': 'sees: [inputs,' },
    faults: ['38:12 stages.review.sees[0]: must name one of the inputs, such as inputs.goal'],
  },
  'reference to an unknown input': {
    edit: { 'sees: [diff,': 'sees: [inputs.m,' },
    faults: ['38:12 stages.review.sees[0]: there is no input "m"; there are: goal, n, gate'],
  },
  'reference to a choice': {
    edit: { 'sees: [diff,': 'sees: [route,' },
    faults: ['38:12 stages.review.sees[0]: "route" only chooses a route; there is nothing to see of it'],
  },
  'document unknown': {
    edit: { 'documents: [criteria,': 'documents: [critera,' },
    faults: ['69:23 result.documents[0]: there is no stage "critera"; did you mean "criteria"?'],
  },
  'unknown format': {
    edit: { 'output: criteria': 'output: criterias' },
    faults: ['16:5 stages.criteria.output: there is no format "criterias"; did you mean "criteria"?'],
  },
  'unknown end': {
    edit: { 'allowed: tries': 'allowed: end.lnd' },
    faults: [
      '53:7 stages.approval.on.allowed: there is no end "end.lnd"; there are: end.land, end.done, end.unverified, end.partial, end.failed',
    ],
  },
  'missing outcome': {
    edit: { '      expired: end.partial\n': '' },
    faults: ['52:5 stages.approval.on: the outcome "expired" has no route; add one'],
  },
  'missing verdict': {
    edit: { '      REJECTED: end.partial\n': '' },
    faults: ['40:5 stages.review.on: the outcome "REJECTED" has no route; add one'],
  },
  'extra outcome': {
    edit: { 'complete: end.land,': 'complete: end.land, complet: end.land,' },
    faults: ['68:31 stages.child.on.complet: there is no outcome "complet"; did you mean "complete"?'],
  },
  'skipped without a condition': {
    edit: { ', if: { inputs.gate: always }': '' },
    faults: [
      '54:7 stages.approval.on.skipped: there is no outcome "skipped"; there are: allowed, denied, expired',
    ],
  },
  unreachable: {
    edit: { 'some: child': 'some: end.land' },
    faults: ['66:3 stages.child: no route leads to this stage; add one, or remove the stage'],
  },
  'loop of one stage': {
    edit: { 'done: implement, failed: implement': 'done: design, failed: implement' },
    faults: [
      '26:11 stages.design.on.done: the loop design -> design never has to end; write one of its routes as { next, max, then }',
    ],
  },
  'loop through several stages': {
    edit: { 'pass: review, fail: { next: revise, max: 2, then: end.partial }': 'pass: review, fail: revise' },
    faults: [
      '49:11 stages.revise.on.done: the loop check -> revise -> check never has to end; write one of its routes as { next, max, then }',
    ],
  },
  'loop through a choice': {
    edit: { 'done: check, failed: end.failed': 'done: route, failed: check' },
    faults: [
      '32:11 stages.implement.on.done: the loop route -> implement -> route never has to end; write one of its routes as { next, max, then }',
    ],
  },
  'loop through then': {
    edit: { '{ next: revise, max: 1, then: end.partial }': '{ next: end.partial, max: 1, then: revise }' },
    faults: [
      '49:11 stages.revise.on.done: the loop check -> review -> approval -> revise -> check never has to end; write one of its routes as { next, max, then }',
    ],
  },
  'two loops': {
    edit: {
      'done: implement, failed: implement': 'done: design, failed: implement',
      'one: end.land': 'one: verify',
    },
    faults: [
      '26:11 stages.design.on.done: the loop design -> design never has to end; write one of its routes as { next, max, then }',
      '65:11 stages.verify.on.one: the loop verify -> verify never has to end; write one of its routes as { next, max, then }',
    ],
  },
  'reference to a stage that need not have run': {
    edit: { 'design?]\n    output: change': 'design]\n    output: change' },
    faults: [
      '30:28 stages.implement.sees[2]: "design" need not have run before this stage; write "design?" if it may be missing',
    ],
  },
  'reference of a stage to itself': {
    edit: { 'sees: [review.issues?, check.output]': 'sees: [revise.summary, check.output]' },
    faults: [
      '47:12 stages.revise.sees[0]: "revise" need not have run before this stage; write "revise.summary?" if it may be missing',
    ],
  },
  'equality on an unknown field': {
    edit: { 'criteria.needsDesign: true': 'criteria.needDesign: true' },
    faults: [
      '20:17 stages.route.choose[0].if.criteria.needDesign: there is no field of "criteria" "needDesign"; did you mean "needsDesign"?',
    ],
  },
  'equality with a value that never occurs': {
    edit: { 'inputs.gate: always': 'inputs.gate: allways' },
    faults: [
      '51:49 stages.approval.gate.if.inputs.gate: "inputs.gate" is never "allways"; it is one of: never, always',
    ],
  },
  'equality with a value of another type': {
    edit: { 'criteria.needsDesign: true': 'criteria.needsDesign: "yes"' },
    faults: [
      '20:17 stages.route.choose[0].if.criteria.needsDesign: "criteria.needsDesign" is true or false, so it never equals "yes"',
    ],
  },
  'equality on a list': {
    edit: { 'criteria.needsDesign: true': 'criteria.risks: none' },
    faults: [
      '20:17 stages.route.choose[0].if.criteria.risks: "criteria.risks" is a list, which can\'t be compared',
    ],
  },
  'equality on a whole answer': {
    edit: { 'criteria.needsDesign: true': 'criteria: true' },
    faults: [
      '20:17 stages.route.choose[0].if.criteria: "criteria" as a whole can\'t be compared; name one of its fields',
    ],
  },
  'empty condition': {
    edit: { '{ criteria.needsDesign: true }': '{}' },
    faults: ['20:11 stages.route.choose[0].if: must name at least one field'],
  },
  'equality with nothing': {
    edit: { 'criteria.needsDesign: true': 'criteria.needsDesign: null' },
    faults: ['20:17 stages.route.choose[0].if.criteria.needsDesign: must be text, a number, true or false'],
  },
  'over non-list': {
    edit: { 'times: inputs.n': 'over: criteria.needsDesign' },
    faults: ['59:5 stages.tries.over: "criteria.needsDesign" must be a list'],
  },
  'times stage': {
    edit: { 'times: inputs.n': 'times: criteria.risks' },
    faults: ['59:5 stages.tries.times: "criteria.risks" must be a number'],
  },
  'times input big': {
    edit: { 'max: 8 }': 'max: 12 }' },
    faults: [
      '59:5 stages.tries.times: "inputs.n" may be from 1 to 12; a stage can have 1 to 8 branches, so set its min and max',
    ],
  },
  'times input nodefault': {
    edit: { 'default: 3, max': 'max' },
    faults: ['59:5 stages.tries.times: "inputs.n" may be missing; give it a default or make it required'],
  },
  'each of a stage that does not fan out': {
    edit: { 'each: tries': 'each: revise' },
    faults: ['64:5 stages.verify.each: the stage "revise" doesn\'t fan out'],
  },
  'each and times together': {
    edit: { 'times: inputs.n': 'times: inputs.n\n    each: tries' },
    faults: ['60:5 stages.tries.each: can\'t be used together with "times"'],
  },
  'each self': {
    edit: { 'times: inputs.n': 'each: tries' },
    faults: ['59:5 stages.tries.each: "tries" need not have run before this stage'],
  },
  'each unknown': {
    edit: { 'each: tries': 'each: tri' },
    faults: ['64:5 stages.verify.each: there is no stage "tri"; did you mean "tries"?'],
  },
  'best of a later stage': {
    edit: { 'from: head': 'from: verify.best' },
    faults: ['29:5 stages.implement.from: "verify" need not have run before this stage'],
  },
  'unknown stage to keep': {
    edit: {
      'sees: [review.issues?, check.output]': 'sees: [check.output]\n    keeps: [implement, tries, tris]',
    },
    faults: ['48:5 stages.revise.keeps: there is no stage "tris"; did you mean "tries"?'],
  },
  'unknown start point': {
    edit: { 'from: head': 'from: main' },
    faults: ['29:5 stages.implement.from: must be "head", "work" or "<stage>.best"'],
  },
  'most without over': {
    edit: { 'times: inputs.n': 'most: 3\n    times: 2' },
    faults: ['59:5 stages.tries.most: needs "over"'],
  },
  'gate whose rework skips a check': {
    edit: { '{ next: revise, max: 1, then: end.partial }': '{ next: approval, max: 1, then: end.partial }' },
    faults: [
      '55:7 stages.approval.on.denied: what is reworked after a denial comes back to this gate without passing "check" again',
      '55:7 stages.approval.on.denied: what is reworked after a denial comes back to this gate without passing "review" again',
    ],
  },
}
