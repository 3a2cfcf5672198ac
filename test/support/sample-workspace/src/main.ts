import { readFile } from 'node:fs/promises';
import { alertFor } from './alert.js';
import { isSilent, parseReadings } from './gauge.js';
import { nextHighWater } from './predict.js';
import { findStation } from './stations.js';

const station = findStation(process.argv[2] ?? 'kiel');
const readings = parseReadings(await readFile(`data/${station.name}.csv`, 'utf8'));
if (isSilent(readings, new Date())) console.error(`${station.name} is silent.`);
const currentM = readings.at(-1)?.heightM ?? 0;
console.log(alertFor(station.quayM, currentM, nextHighWater(readings)));
