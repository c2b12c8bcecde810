// The program of a page without replay.
import { ReportPage } from "./page";

new ReportPage().build([]);
