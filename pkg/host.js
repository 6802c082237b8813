var So=Object.defineProperty;var a=(t,e)=>So(t,"name",{value:e,configurable:!0});var St;function b(){return St??=Date.now()-performance.now(),St+performance.now()}a(b,"now");var At=2147483647;function xt(t,e){
return new Promise(n=>{let r=e<=At?setTimeout(n,e):void 0,o=a(()=>{clearTimeout(r),n()},"over");t.then(o,o)})}a(xt,"with\
in");var re=class{static{a(this,"Alarm")}timer;at=0;held=!1;keeps;ring;constructor(e){this.ring=()=>{this.timer=void 0,b()<
this.at?this.arm():e()}}set(e){this.at=e,this.timer!==void 0&&clearTimeout(this.timer),this.arm()}hold(e){if(this.held===
e)return;this.held=e;let n=this.timer;e?n?.ref?.():n?.unref?.()}stop(){this.timer!==void 0&&clearTimeout(this.timer),this.
timer=void 0}arm(){this.timer=setTimeout(this.ring,Math.min(Math.max(Math.ceil(this.at-b()),1),At)),this.held||this.timer.
unref?.()}};var Ot=[[0,32],[127,160],[5760,5760],[8192,8202],[8232,8233],[8239,8239],[8287,8287],[12288,12288]],In=[[173,173],[847,847],
[1564,1564],[4447,4448],[6068,6069],[6155,6159],[8203,8203],[8206,8207],[8234,8238],[8288,8303],[12644,12644],[65024,65037],
[65279,65279],[65440,65440],[65520,65531],[65534,65535],[113824,113827],[119155,119162],[917504,921599]],_n=[["'","’"],
['"',"’"],["`","’"],["“","‘"],["”","’"],["[","("],["]",")"],["<","‹"],[">","›"],["＇","’"],["＂","’"],
["｀","’"],["［","("],["］",")"],["＜","‹"],["＞","›"]],Q=80,Be=500,Ke=300,vt=80;function Cn(t,e){return t.some(([n,r])=>n<=e&&e<=r)}a(Cn,"isIn");var Rt;function Ao(){let t=_n.map(([r])=>r),n=`[${Array.
from({length:94},(r,o)=>String.fromCharCode(33+o)).filter(r=>!t.includes(r)).map(r=>`\\x${r.charCodeAt(0).toString(16)}`).
join("")}]+`;return new RegExp(`^${n}(?: ${n})*$`)}a(Ao,"plainWords");function I(t,e=vt){if(Rt??=Ao(),t.length<=e&&Rt.test(
t))return t;let n="",r=0,o=!1;for(let s of t){let i=s.codePointAt(0);if(Cn(In,i))continue;if(Cn(Ot,i)){o=r>0;continue}let u=r+
(o?2:1);if(u>e)return`${n}…`;let d=i>=55296&&i<=57343?"�":_n.find(([c])=>c===s)?.[1]??s;n+=o?` ${d}`:d,o=!1,r=u}return n}
a(I,"quoted");function Ue(t){let e="";for(let n of JSON.stringify(t)){let r=n.codePointAt(0),o=r<127||r>160&&r!==8232&&r!==8233&&!Cn(In,
r);e+=o?n:xo(n)}return e}a(Ue,"jsonForModel");function xo(t){return Array.from({length:t.length},(e,n)=>`\\u${t.charCodeAt(
n).toString(16).padStart(4,"0")}`).join("")}a(xo,"escaped");var Tt=!1;function $n(t){Tt=t}a($n,"withinCore");function Se(t){try{for(let e=t,n=0;e instanceof Error&&n<8;e=e.cause,n+=
1)e.stack}catch{}}a(Se,"letStackGo");var y=class extends Error{static{a(this,"SubAgentError")}name="SubAgentError";code;details;constructor(e,n,r={},o){
super(n,o),this.code=e,this.details=r,Tt&&Se(this)}};var jt=new WeakMap;function We(t,e){return e!==t.message&&jt.set(t,e),t}a(We,"tellingModels");function Je(t){return jt.get(
t)??x(t)}a(Je,"toldOf");function h(t,e,n){let r=`${t} must be ${e}, got ${w(n)}`;return new y("invalid_argument",r,{argument:t.
replaceAll("`",""),expected:e})}a(h,"invalid");function w(t){return typeof t=="string"?t.length>40?`a string of ${t.length}\
 characters`:Ue(t):t==null||typeof t=="number"||typeof t=="boolean"?String(t):typeof t=="object"?Oo(t):`a ${typeof t}`}a(
w,"describe");function Oo(t){try{return Array.isArray(t)?t.length===0?"an empty list":"a list":"an object"}catch{return"\
an object"}}a(Oo,"listOrObject");function x(t){try{if(typeof t=="string")return t;if(t instanceof Error)return String(t.
message)||String(t.name)||"an error without a message";if(typeof t=="object"&&t!==null&&typeof t.message=="string")return t.
message}catch{}return`threw ${w(t)}`}a(x,"messageOf");var Ge=class{static{a(this,"Scratch")}view=new Uint8Array(0);whole=new Uint8Array(0);encoder=new TextEncoder;decoder=new TextDecoder;core;memory;constructor(e,n){
this.core=e,this.memory=n}write(e,n=0){let r=n+e.length*3;return(this.view.length<r||this.view.length===0)&&this.grow(r),
this.encoder.encodeInto(e,n===0?this.view:this.view.subarray(n)).written}writeAll(e){let n=3*e.reduce((o,s)=>o+oe(s),0);
(this.view.length<n||this.view.length===0)&&this.grow(n);let r=0;return e.map(o=>{if(o===void 0)return 4294967295;let s=this.
write(o,r);return r+=s,s})}writeEnd(e){let{output:n,error:r,hostStatus:o,hostTaskId:s,artifactsJson:i,valueJson:u}=e,d=n.
length+oe(r)+oe(o)+oe(s)+oe(i)+oe(u);(this.view.length<d*3||this.view.length===0)&&this.grow(d*3);let c={output:this.write(
n),error:4294967295,status:4294967295,id:4294967295,artifacts:4294967295,value:4294967295},f=c.output;return r!==void 0&&
(f+=c.error=this.write(r,f)),o!==void 0&&(f+=c.status=this.write(o,f)),s!==void 0&&(f+=c.id=this.write(s,f)),i!==void 0&&
(f+=c.artifacts=this.write(i,f)),u!==void 0&&(c.value=this.write(u,f)),c}writeBytes(e){return(this.view.length<e.length||
this.view.length===0)&&this.grow(e.length),this.view.set(e),e.length}read(e,n){return n===0?"":this.decoder.decode(new Uint8Array(
this.memory.buffer,e,n))}memoryView(){return this.whole.length===0&&(this.whole=new Uint8Array(this.memory.buffer)),this.
whole}copy(e,n){return new Uint8Array(this.memory.buffer,e,n).slice()}get memoryBytes(){return this.memory.buffer.byteLength}letGo(){
this.view=new Uint8Array(0),this.whole=new Uint8Array(0),this.core=void 0,this.memory={buffer:new ArrayBuffer(0)}}grow(e){
let n=Math.max(e,4096),r=this.core.scratch(n);this.view=new Uint8Array(this.memory.buffer,r,n)}};function oe(t){return t===
void 0?0:t.length}a(oe,"lengthOf");var Pt=new WeakMap;function It(t){if(Ro(t))return t;let e=Pt.get(t);if(e===void 0){let n=new AbortController;t.addEventListener(
"abort",()=>Et(n,t),{once:!0}),Pt.set(t,n),e=n}return t.aborted===!0&&Et(e,t),e.signal}a(It,"tamed");function Et(t,e){let n;
try{({reason:n}=e)}catch(r){n=r}t.abort(n)}a(Et,"fire");var vo=["aborted","reason","addEventListener","removeEventListen\
er"];function Ro(t){return Object.getPrototypeOf(t)===AbortSignal.prototype&&!vo.some(e=>Object.hasOwn(t,e))}a(Ro,"isPla\
tforms");var _t={prompt:"instructions",input:"instructions",concurrency:"maxConcurrent",maxsteps:"maxTurns",maxretries:"retry",abortsignal:"\
signal",name:"nickname"};function $t(t,e){let n=Ct(t);if(n.length>40)return;let r,o=Number.POSITIVE_INFINITY,s=Object.hasOwn(
_t,n)?_t[n]:void 0;for(let i of e){if(i===s)return i;let u=To(n,Ct(i));u>=o||(o=u,r=i)}return r}a($t,"nearestOf");function Ct(t){
return t.toLowerCase().replaceAll(/[_-]/g,"")}a(Ct,"plain");function To(t,e){let[n,r]=t.length<e.length?[t,e]:[e,t],o=jo(
t,e);return o<=Math.min(3,Math.floor(r.length/3))?o:n.length>=3&&r.startsWith(n)?40+o:Number.POSITIVE_INFINITY}a(To,"dis\
tanceOf");function jo(t,e){let n=[],r=Array.from({length:e.length+1},(o,s)=>s);for(let o=1;o<=t.length;o+=1){let s=[o];for(let i=1;i<=
e.length;i+=1){let u=t[o-1]===e[i-1],d=Math.min((r[i]??0)+1,(s[i-1]??0)+1,(r[i-1]??0)+(u?0:1));o>1&&t[o-1]===e[i-2]&&t[o-
2]===e[i-1]&&(d=Math.min(d,(n[i-2]??0)+1)),s.push(d)}[n,r]=[r,s]}return r[e.length]??0}a(jo,"editsOf");var Mt=100,Nt=1048576,_=16777216;function T(t,e,n="an object"){return v(t,()=>{if(se(t,e,n),Array.isArray(e))throw h(t,n,
e);let r=Object.create(null);for(let o of Dt(e))for(let s of Object.getOwnPropertyNames(o))!(s in r)&&Eo(o,s)&&Po(r,s,e[s]);
return r})}a(T,"optionsOf");function Po(t,e,n){Object.defineProperty(t,e,{value:n,enumerable:!0,configurable:!0,writable:!0})}
a(Po,"define");function Eo(t,e){let{enumerable:n,get:r}=Object.getOwnPropertyDescriptor(t,e)??{};return n===!0||r!==void 0}
a(Eo,"isGiven");function Dt(t){let e=[t],n=Object.getPrototypeOf(t);for(;n!==null&&!Io(n);){if(e.push(n)>Mt)throw new Error(
`it inherits from more than ${Mt} objects`);n=Object.getPrototypeOf(n)}return e}a(Dt,"levelsOf");function Io(t){return t===
Object.prototype||Object.getPrototypeOf(t)===null&&Object.hasOwn(t,"hasOwnProperty")}a(Io,"isRoot");function C(t,e){return Object.
hasOwn(t,e)||Object.getPrototypeOf(t)!==Object.prototype&&Dt(t).some(r=>Object.hasOwn(r,e))?t[e]:void 0}a(C,"propertyOf");
function se(t,e,n="an object"){if(typeof e=="object"&&e!==null)return e;throw h(t,n,e)}a(se,"objectOf");function F(t,e,n,r){
return v(t,()=>{if(!Array.isArray(n))throw h(t,e,n);let{length:o}=n;if(!(o<=Nt))throw h(t,`a list of at most ${Nt} entri\
es`,o);let s=[];for(let i=0;i<o;i+=1){let u=t.endsWith("`")?`${t.slice(0,-1)}[${i}]\``:`${t}[${i}]`;s.push(r(Object.hasOwn(
n,i)?v(u,()=>n[i]):void 0,u))}return s})}a(F,"listOf");function Ft(t,e){return F(t,"a list",e,n=>n)}a(Ft,"entriesOf");function E(t,e){
if(typeof e!="string")throw h(t,"a string",e);if(e.length>_)throw h(t,`a text of at most ${_} characters`,e);return e}a(
E,"textOf");function ie(t,e){let n=E(t,e);if(Mn(n))return n;throw h(t,"well-formed text, as `toWellFormed()` makes it",e)}
a(ie,"nameOf");function Mn(t){return t.isWellFormed?.()??!_o.test(t)}a(Mn,"isWellFormed");var _o=/\p{Surrogate}/u;function Lt(t,e,n,r=`\
the options of ${t}`){return v(r,()=>{let o=T(r,e),s=Object.keys(o).find(i=>!n.includes(i));if(s!==void 0)throw Ae(t,s,n);
return o})}a(Lt,"knownOptions");function q(t,e){return new y("invalid_argument",`${t} say the same: give one`,{argument:e})}a(q,"saidTwice");function Ae(t,e,n){
return xe(`${t} has no option \`${e}\``,e,n,{argument:e})}a(Ae,"unknownOption");function J(t,e,n){let[r]=Object.keys(e);
if(r===void 0)return;let o=`${t}.${r}`;throw xe(`\`${t}\` has no \`${r}\``,r,n,{argument:o},`; it has ${n.join(", ")}`)}
a(J,"noOtherFields");function He(t,e,n){return xe(`${t} has no \`${e}\``,e,n,{argument:e},`; it has ${n.join(", ")}`)}a(
He,"unknownField");function xe(t,e,n,r,o=""){let s=$t(e,n);return s===void 0?new y("invalid_argument",t+o,r):new y("inva\
lid_argument",`${t}; did you mean \`${s}\`?`,{...r,suggestion:s})}a(xe,"unknownPart");function v(t,e){try{return e()}catch(n){
throw Nn(t,n)}}a(v,"readArgument");function Nn(t,e){return Dn(e)?e:new y("invalid_argument",`${t} can't be read: ${x(e)}`,
{argument:t.replaceAll("`","")},{cause:e})}a(Nn,"unreadable");function Dn(t){try{return t instanceof y}catch{return!1}}a(
Dn,"isOurs");function Ve(t,e){if(e!==void 0)return v(t,()=>{let{aborted:n,addEventListener:r,removeEventListener:o}=Object(
e);if(typeof n=="boolean"&&typeof r=="function"&&typeof o=="function")return It(e);throw h(t,"an AbortSignal",e)})}a(Ve,
"signalOf");var Co=100,$o=500,Mo=["completed","cancelled","blocked_on_user"];function No({status:t="pending"}){return!Mo.includes(t)}
a(No,"isOpenTodo");function Bt(t){let e=0,n=[],r=F("`todos`","a list of { content, status }",t,(o,s)=>{let{content:i,description:u,
status:d="pending"}=Object(o),c=i??u;if(typeof c!="string")throw h(`the \`content\` or \`description\` of ${s}`,"a strin\
g",c);if(typeof d!="string")throw h(`the \`status\` of ${s}`,"a string",d);return{content:c,status:d}});for(let{content:o,
status:s}of r){let i={content:qe(o,$o),status:qe(s,40)};No(i)&&(e+=1),n.length<Co&&n.push(i)}return{open:e,json:JSON.stringify(
n)}}a(Bt,"readTodos");function Kt(t,{slot:e,generation:n,run:r},{open:o,json:s}){let i=t.write(s);t.act(u=>u.todos(b(),e,
n,r,o,i))}a(Kt,"reportTodos");function Oe(t){return t===""?[]:JSON.parse(t)}a(Oe,"parseTodos");function qe(t,e){return t.
length<=e?t:Array.from(t.slice(0,e*2)).slice(0,e).join("")}a(qe,"firstChars");function G(t,e){return e===void 0?void 0:E(t,e)}a(G,"string");function Y(t,e){return e===void 0?void 0:F(t,"a list of st\
rings",e,(n,r)=>E(r,n))}a(Y,"strings");function Ye(t,e){return e===void 0?void 0:ie(t,e)}a(Ye,"name");function $(t,e){if(e!==
void 0){if(typeof e=="number"&&e>=1&&(Number.isInteger(e)||e===Number.POSITIVE_INFINITY))return e;throw h(t,"a whole num\
ber of at least 1, or Infinity",e)}}a($,"count");function Fn(t,e){if(e!==void 0){if(typeof e=="number"&&e>0)return e;throw h(
t,"a number above 0, or Infinity",e)}}a(Fn,"amount");function ve(t,e,n=!1){if(e!==void 0){if(n&&e===0)return 0;if(typeof e==
"number"&&e>0)return Math.max(1,Math.round(e));throw h(t,`milliseconds ${n?"of at least":"above"} 0, or Infinity`,e)}}a(
ve,"duration");function Ut(t,e){if(e!==void 0){if(typeof e=="number"&&Number.isSafeInteger(e))return e;throw h(t,"a whol\
e number",e)}}a(Ut,"integer");function Re(t,e){if(e===void 0)return{};let n=T(`\`${t}\``,e,"an object with tokens, costU\
sd or turns"),{tokens:r,costUsd:o,turns:s,...i}=n;J(t,i,["tokens","costUsd","turns"]);let u={},[d,c,f]=[$(`\`${t}.tokens\
\``,r),Fn(`\`${t}.costUsd\``,o),$(`\`${t}.turns\``,s)];return d!==void 0&&(u.tokens=d),c!==void 0&&(u.costUsd=c),f!==void 0&&
(u.turns=f),u}a(Re,"readBudget");function z(t){let e=t;return e.isWellFormed?.()===!1?e.toWellFormed?.()??t:t}a(z,"wellFormed");function Wt(t,e){let n=0;
for(let r=0;r<t.length;){let o=t.codePointAt(r);if(n+=o<128?1:o<2048?2:o<65536?3:4,n>e)return t.slice(0,r);r+=o>65535?2:
1}return t}a(Wt,"headOf");function ze(t,e,n,r={left:e}){let o=Math.max(0,r.left-e),s=JSON.stringify(t,(i,u)=>{if(r.left-=typeof u=="string"?u.length:
1,r.left<o)throw new Error(n);return u});if(s!==void 0&&s.length>e)throw new Error(n);return s}a(ze,"jsonWithin");var Xe=20,Do=1e3;function Jt(t,e,n){let r=[],o=[],s=_,i={left:2*_},u=0;return F(t,"a list",e,(d,c)=>{if(u>=Xe&&i.left===
0){u+=1;return}try{let f=ze(d,s,`the artifacts have more than ${_} characters`,i);if(f===void 0)throw new Error(`JSON ha\
s no ${w(d)}`);s=Math.max(0,s-f.length-1),o.push(f),r.push(d)}catch(f){u+=1,i.left=Math.max(0,i.left-Do),u<=Xe&&n(`${c} \
was not kept: ${x(f)}`,c)}}),u>Xe&&n(`${u-Xe} more artifacts were not kept`,t),o.length===0?{artifacts:void 0,artifactsJson:void 0}:
{artifacts:r,artifactsJson:`[${o.join(",")}]`}}a(Jt,"readArtifacts");var ae=0,Fo=1,Lo=2,Bo=3,Ko=4,Qe=5,j=-1;function de(t){if(typeof t!="object"||t===null)return Te(`spawnSubAgent must reso\
lve to { output, status, usage }, it resolved to ${w(t)}`);let e=new Ln(t),{tokens:n,cost:r,turns:o,durationMs:s}=Jo(e),
i=e.read("status"),u=e.read("output"),d=Yo(i,e),c=typeof u=="string"?z(u):void 0,f=Uo(e),l=c===void 0&&(ce(u)?d===ae&&f===
void 0:!0);l&&e.wrong("output","a string",u);let{artifacts:m,artifactsJson:p}=qo(e),k=Wo(e),g=Vo(e);return{how:l&&d===ae?
Qe:d,output:c??"",error:e.told(g),cause:e.cause,hostStatus:typeof i=="string"&&i!=="completed"?Bn(i):void 0,hostTaskId:k,
artifacts:m,artifactsJson:p,value:f,valueJson:void 0,tokens:n,cost:r,turns:o,durationMs:s}}a(de,"readResult");var ue=Symbol(
"unreadable"),Ln=class{static{a(this,"Fields")}cause=void 0;#e;#n;constructor(e){this.#e=e}read(e){try{return C(this.#e,
e)}catch(n){return this.#n===void 0&&(this.cause=n),this.drop(`the result's ${e} can't be read: ${x(n)}`),ue}}wrong(e,n,r){
r!==ue&&this.drop(`the result's ${e} must be ${n}, got ${w(r)}`)}drop(e){this.#n??=[],this.#n.push(e)}told(e){return this.#n===
void 0?e:[...e===void 0?[]:[e],...this.#n].join("; ")}};function ce(t){return t==null}a(ce,"isAbsent");function Uo(t){let e=t.
read("value");return e===ue?void 0:e}a(Uo,"madeOf");function Wo(t){let e=t.read("taskId");if(!(ce(e)||e==="")){if(typeof e==
"string")return Bn(e);t.wrong("taskId","a string",e)}}a(Wo,"hostIdOf");function Jo(t){let e=t.read("usage");if(ce(e))return{
tokens:j,cost:j,turns:j,durationMs:j};let n=Number.NaN;if(typeof e!="object"||e===null||!Ho(e))return t.wrong("usage","{\
 tokens, costUsd, turns }",e),{tokens:n,cost:n,turns:n,durationMs:j};let r=a(u=>{try{return C(e,u)}catch{return n}},"rea\
d"),o=B(r("costUsd")),s={tokens:Kn(r("tokens"),r("inputTokens"),r("outputTokens")),cost:o===j?B(r("cost")):o,turns:B(r("\
turns")),durationMs:B(r("durationMs"))};if(Object.values(s).some(u=>u!==j))return s;let i=Go(e);return i.length===0?s:(t.
drop(`the result's usage has none of tokens, costUsd, turns; it has ${i.map(w).join(", ")}`),{tokens:n,cost:n,turns:n,durationMs:j})}
a(Jo,"readUsage");function Go(t){try{return Object.entries(t).filter(([,n])=>!ce(n)).slice(0,5).map(([n])=>n)}catch{return[]}}
a(Go,"namesIn");function Ho(t){try{return!Array.isArray(t)&&typeof C(t,"then")!="function"}catch{return!1}}a(Ho,"isUsage");
function Vo(t){let e=t.read("error");if(!(ce(e)||e===""||e===ue))return typeof e=="object"&&(t.cause??=e),z(Bn(x(e)))}a(
Vo,"errorOf");function qo(t){let e={artifacts:void 0,artifactsJson:void 0},n=t.read("artifacts");if(ce(n)||n===ue)return e;
try{return Jt("artifacts",n,r=>t.drop(r))}catch(r){return t.drop(x(r)),e}}a(qo,"artifactsOf");function Bn(t){return t.length>
_?t.slice(0,_):t}a(Bn,"cut");function Ht(t,e,n){if(t.how!==ae)return t;let r=e.check(t.value,n);return r instanceof Promise?
r.then(o=>Gt(t,o)):Gt(t,r)}a(Ht,"checkValue");function Gt(t,e){if("wrong"in e){let o=[e.wrong,...t.error===void 0?[]:[t.
error]].join("; ");return{...t,how:Qe,error:o,value:void 0}}let{value:n,json:r}=e;return{...t,value:n,valueJson:r,output:t.
output||r}}a(Gt,"judged");function B(t){return t==null?j:typeof t=="number"&&t>=0?t:Number.NaN}a(B,"reading");function Kn(t,e,n){
let r=B(t),[o,s]=[B(e),B(n)];return r!==j||o===j&&s===j?r:(o===j?0:o)+(s===j?0:s)}a(Kn,"totalTokens");function Yo(t,e){switch(t){case void 0:case null:case"\
completed":return ae;case"failed":case"error":return Fo;case"cancelled":case"aborted":return Lo;case"timed_out":case"tim\
eout":return Bo;default:return typeof t!="string"&&e.wrong("status","a string",t),t===ue?Qe:ae}}a(Yo,"statusOf");function Te(t,e){
return{how:Qe,output:"",error:t,cause:e,hostStatus:void 0,hostTaskId:void 0,artifacts:void 0,artifactsJson:void 0,value:void 0,
valueJson:void 0,tokens:j,cost:j,turns:j,durationMs:j}}a(Te,"invalidResult");function fe(){return{...Te(""),how:ae,error:void 0,
tokens:0,cost:0,turns:0}}a(fe,"nothing");function Ze(t,e){return{...Te(t,e),how:Ko}}a(Ze,"threw");var zo=["tokens","inputTokens","outputTokens","costUsd","contextTokens","message","todos"];function qt(t,e,n){let r,o=Number.
NaN;try{n!==void 0&&(o=Xo(n));let s=e.agent;if(e.turn!==void 0||s?.asksForTurn===!0)throw new y("invalid_argument","the \
last beforeTurn has not answered yet");let{gates:i,runs:u}=t;if(i.sub.has("before_turn")||s?.hasInjected===!0)return Vt(
e,i.beforeTurn(i.agentOf(e),()=>u.takeTurn(e,o)));r=u.takeTurn(e,o)}catch(s){return Promise.reject(s)}return e.watch===void 0?
r:Vt(e,r)}a(qt,"beforeTurn");async function Vt(t,e){let n=await e;return n.go&&t.watch?.(t,{turn:n.turn}),n}a(Vt,"watche\
d");function Xo(t){return v("the options of beforeTurn",()=>{let{tokens:e}=Lt("beforeTurn",t,["tokens"]);return $("`toke\
ns`",e)??Number.NaN})}a(Xo,"estimateOf");function Yt(t,e,n){let{tokens:r,costUsd:o,contextTokens:s,message:i,list:u}=v("\
a report",()=>{let{tokens:m,inputTokens:p,outputTokens:k,costUsd:g,contextTokens:S,message:O,todos:A,...V}=T("a report",
n),En=Kn(m,p,k);for(let Fe of Object.keys(V))throw He("a report",Fe,zo);return O!==void 0&&E("`message`",O),{tokens:En,costUsd:g,
contextTokens:S,message:O,list:A===void 0?void 0:Bt(A)}});if(t.isClosed)return;i!==void 0&&t.gates.agentOf(e).say(i);let d=i===
void 0?4294967295:t.write(i),{slot:c,generation:f,run:l}=e;t.act(m=>m.report(b(),c,f,l,r,B(o),B(s),d)),u!==void 0&&Kt(t,
e,u),i!==void 0&&e.watch?.(e,{message:i})}a(Yt,"reportOn");var en=class{static{a(this,"BareRun")}#e;#n;constructor(e,n){this.#e=e,this.#n=n}get taskId(){return this.#n.taskId}get run(){
return this.#n.run}get prompt(){return this.#n.prompt()}get signal(){return this.#n.signal}beforeTurn(e){return qt(this.#e,
this.#n,e)}report(e){Yt(this.#e,this.#n,e)}};var zt;function Qt(){return zt??={capture:Qo(globalThis)},zt.capture}a(Qt,"capture");function Qo({process:t,AsyncLocalStorage:e,AsyncContext:n}){let r=Xt(Zo(t))??Xt(e&&{AsyncLocalStorage:e});if(r!==void 0)
return r;let o=n?.Snapshot;if(typeof o=="function")return Wn(()=>{let s=new o;return{runInAsyncScope:a((i,u,...d)=>s.run(
()=>i.apply(u,d)),"runInAsyncScope")}})}a(Qo,"find");function Zo(t){try{return t?.getBuiltinModule?.("async_hooks")}catch{
return}}a(Zo,"builtIn");function Xt(t){let{AsyncResource:e,AsyncLocalStorage:n}=t??{};if(typeof e=="function")return Wn(
()=>new e("SubAgent"));if(typeof n?.snapshot=="function")return Wn(()=>{let r=n.snapshot();return{runInAsyncScope:a((o,s,...i)=>r(
()=>o.apply(s,i)),"runInAsyncScope")}})}a(Xt,"captureOf");function Wn(t){try{return t().runInAsyncScope(()=>!0)?t:void 0}catch{
return}}a(Wn,"tried");function le(t){let e=Qt()?.();return e===void 0?t:((...n)=>e.runInAsyncScope(t,void 0,...n))}a(le,
"bound");var nn=class{static{a(this,"Contexts")}kept=[];generations=[];capture=Qt();opening=this.capture?.();entered=void 0;get matter(){
return this.capture!==void 0}keep(e,n){this.capture!==void 0&&(this.kept[e]=this.capture(),this.generations[e]=n)}enter(e){
let n=this.entered;return this.entered=this.kept[e],n}leave(e){this.entered=e}run(e,n,r){let o=this.generations[e]===n?this.
kept[e]:this.opening;return o===void 0||o===this.entered?r():o.runInAsyncScope(r)}taskForgotten(e,n){this.generations[e]===
n&&(this.kept[e]=void 0)}clear(){this.kept.length=0,this.generations.length=0}};var je=[{name:"label",alias:void 0,staged:"label",kind:"label",isDefined:!1},{name:"nickname",alias:void 0,staged:"nickn\
ame",kind:"name",isDefined:!1},{name:"contextHint",alias:void 0,staged:"contextHint",kind:"text",isDefined:!0},{name:"to\
ols",alias:void 0,staged:"tools",kind:"texts",isDefined:!0},{name:"systemPrompt",alias:void 0,staged:"systemPrompt",kind:"\
text",isDefined:!1},{name:"profile",alias:"promptProfile",staged:"profile",kind:"reference",isDefined:!0},{name:"modelId",
alias:void 0,staged:"modelId",kind:"text",isDefined:!1},{name:"agent",alias:"agentId",staged:"sourceAgentId",kind:"refer\
ence",isDefined:!1},{name:"maxTurns",alias:"maxSteps",staged:"maxTurns",kind:"count",isDefined:!0},{name:"timeoutMs",alias:void 0,
staged:"timeoutMs",kind:"duration",isDefined:!0},{name:"idleTimeoutMs",alias:void 0,staged:"idleTimeoutMs",kind:"duratio\
n",isDefined:!0},{name:"turnEstimate",alias:void 0,staged:"turnEstimate",kind:"count",isDefined:!0},{name:"priority",alias:void 0,
staged:"priority",kind:"integer",isDefined:!0},{name:"rateLimitKey",alias:void 0,staged:"rateLimitKey",kind:"name",isDefined:!0},
{name:"onParentEnd",alias:void 0,staged:"onParentEnd",kind:"onParentEnd",isDefined:!1},{name:"metadata",alias:void 0,staged:"\
metadata",kind:"metadata",isDefined:!1},{name:"retry",alias:void 0,staged:"retry",kind:"retry",isDefined:!0}];var Zt=16384,er=32;function nr(t,e){if(e!==void 0){if(typeof e!="object"||e===null||Array.isArray(e))throw tn(t,"a plain\
 object of JSON values",e);return Gn(e,t,0,{left:Zt,what:"metadata",most:Zt})}}a(nr,"readMetadata");function tr(t){return t===null?null:JSON.parse(t)}a(tr,"metadataOf");function tn(t,e,n){return h(`\`${t}\``,e,n)}a(tn,"w\
rong");function Gn(t,e,n,r){if(typeof t=="string"||typeof t=="boolean"||t===null)return Jn(JSON.stringify(t),r);if(typeof t==
"number"){if(!Number.isFinite(t))throw tn(e,"a number that JSON has",t);return Jn(JSON.stringify(t),r)}if(typeof t!="obj\
ect")throw tn(e,"a value that JSON has",t);if(n>=er)throw new y("invalid_argument",`\`${e}\` nests deeper than ${er} lev\
els`,{argument:e});if(r.left-=2,Array.isArray(t)){let i=[];for(let u=0;u<t.length;u+=1){if(!Object.hasOwn(t,u))throw tn(
`${e}[${u}]`,"a value that JSON has",void 0);i.push(Gn(t[u],`${e}[${u}]`,n+1,r))}return`[${i.join(",")}]`}let o=Object.getPrototypeOf(
t);if(o!==null&&Object.getPrototypeOf(o)!==null)throw new y("invalid_argument",`\`${e}\` must be a plain object of JSON v\
alues, got ${w(t)} of a class`,{argument:e});let s=[];for(let i of Object.keys(t)){let u=t[i];if(u===void 0)continue;let d=Jn(
JSON.stringify(i),r);s.push(`${d}:${Gn(u,/^[\w$]{1,40}$/.test(i)?`${e}.${i}`:`${e}[…]`,n+1,r)}`)}return`{${s.join(",")}\
}`}a(Gn,"jsonOf");function Jn(t,e){if(e.left-=t.length+1,e.left>=0)return t;let{what:n,most:r}=e,o=`\`${n}\` must have at\
 most ${r} characters of JSON: keep what is larger yourself, under the sub-agent's id`;throw new y("invalid_argument",o,
{argument:n,limit:r})}a(Jn,"spent");var X=["pending","running","idle","completed","failed","timed_out","cancelled","interrupted","closed"],R=["finished","ho\
st_failed","host_threw","invalid_result","host_cancelled","host_timed_out","timeout","idle_timeout","max_turns","budget_\
exhausted","cancelled","ancestor_cancelled","parent_ended","interrupted","closed","signal_aborted","drained","policy","m\
arked_failed","host_lost","never_reported"],rn=["host_threw","host_failed","host_lost","invalid_result","host_timed_out",
"host_cancelled"];var rr=["before_spawn","before_start","before_turn","before_tool","after_tool","before_end","on_timeout"],or=["inject","\
force_turn","block","finish"],Hn=["adopt","wait","cancel"];function on(t,e){if(e===void 0)return;if(e===!1)return{max:0};let{max:n,backoffMs:r,on:o,...s}=T(`\`${t}\``,e);J(t,s,["m\
ax","backoffMs","on"]);let i=$(`\`${t}.max\``,n);if(i===void 0)throw h(`\`${t}.max\``,"a whole number of at least 1, or \
Infinity",n);let u={max:i};if(r!==void 0){if(typeof r!="number"||!(r>0)||!Number.isFinite(r))throw h(`\`${t}.backoffMs\``,
"milliseconds above 0",r);u.backoffMs=Math.max(1,Math.round(r))}if(o!==void 0){let d=`a list of ${rn.join(", ")}`;if(u.on=
F(`\`${t}.on\``,d,o,(c,f)=>{if(!rn.includes(c))throw h(f,`one of ${rn.join(", ")}`,c);return c}),u.on.length===0)throw h(
`\`${t}.on\``,d,o)}return u}a(on,"readRetry");var es=new Set(["$schema","$id","$comment","$defs","definitions","title","description","default","examples","deprecated",
"readOnly","writeOnly","format"]),Vn={string:a(t=>typeof t=="string","string"),number:a(t=>typeof t=="number","number"),
integer:a(t=>Number.isInteger(t),"integer"),boolean:a(t=>typeof t=="boolean","boolean"),null:a(t=>t===null,"null"),array:a(
t=>Array.isArray(t),"array"),object:M};function ir(t){return new Xn(t).read(t,"")}a(ir,"readJsonSchema");var Xn=class{static{
a(this,"Reader")}#e;#n=new Map;constructor(e){this.#e=e}read(e,n){if(e===!0)return()=>{};if(e===!1)return(i,u)=>`${u} mu\
st not be there`;if(!M(e))throw N(n,`must be an object or a boolean, got ${w(e)}`);let r=this.#n.get(e);if(r!==void 0)return r;
let o=[],s=a((i,u)=>{for(let d of o){let c=d(i,u);if(c!==void 0)return c}},"check");this.#n.set(e,s);for(let i of Object.
keys(e)){if(es.has(i))continue;let u=Object.hasOwn(Qn,i)?Qn[i]:void 0;if(u===void 0)throw N(n,`has \`${i}\`, which is not\
 checked here; it may have ${os}`);o.push(u({reader:this,schema:e,place:`${n}/${i}`,given:e[i]}))}return s}find(e,n){if(e===
"#")return this.#e;if(!e.startsWith("#/"))throw N(n,`refers to ${w(e)}; only references within the schema are read`);let r=this.#e;
for(let o of e.slice(2).split("/")){let s=o.replaceAll("~1","/").replaceAll("~0","~");r=M(r)&&Object.hasOwn(r,s)?r[s]:void 0}
if(r===void 0)throw N(n,`refers to ${w(e)}, which is not there`);return r}};function N(t,e){let n=t===""?"`schema`":`\`sc\
hema\` at ${t}`;return new y("invalid_argument",`${n} ${e}`,{argument:"schema"})}a(N,"refused");function M(t){return typeof t==
"object"&&t!==null&&!Array.isArray(t)}a(M,"isObject");function L({given:t,place:e},n=Number.NEGATIVE_INFINITY){if(typeof t==
"number"&&t>=n)return t;throw N(e,`must be a number${n===0?" of at least 0":""}, got ${w(t)}`)}a(L,"number");function Pe({
given:t,place:e}){if(Array.isArray(t)&&t.length>0)return t;throw N(e,`must be a list that is not empty, got ${w(t)}`)}a(
Pe,"list");function ns({given:t,place:e}){if(M(t))return t;throw N(e,`must be an object, got ${w(t)}`)}a(ns,"object");var Ee=a(
(t,e)=>(n,r)=>typeof n=="number"&&!t(n)?`${r} must be ${e}`:void 0,"ofNumbers"),qn=a((t,e)=>(n,r)=>typeof n=="string"&&!t(
n)?`${r} must have ${e}`:void 0,"ofTexts"),Yn=a((t,e)=>(n,r)=>Array.isArray(n)&&!t(n)?`${r} must have ${e}`:void 0,"ofLi\
sts");function sn(t,e){if(Object.is(t,e)||t===e)return!0;if(Array.isArray(t)&&Array.isArray(e))return t.length===e.length&&
t.every((o,s)=>sn(o,e[s]));if(!M(t)||!M(e))return!1;let[n,r]=[Object.keys(t),Object.keys(e)];return n.length===r.length&&
n.every(o=>Object.hasOwn(e,o)&&sn(t[o],e[o]))}a(sn,"same");function ts(t){return JSON.stringify(t,(e,n)=>M(n)?Object.fromEntries(
Object.entries(n).sort(([r],[o])=>r<o?-1:1)):n)}a(ts,"canonical");var sr=a(t=>[...t].length,"points"),zn=a((t,e)=>/^[A-Za-z_$][\w$]*$/.
test(e)?`${t}.${e}`:`${t}[${JSON.stringify(e)}]`,"field"),Qn={type({given:t,place:e}){let n=Array.isArray(t)?t:[t],r=n.map(
s=>typeof s=="string"&&Object.hasOwn(Vn,s)?Vn[s]:void 0);if(r.length===0||r.includes(void 0))throw N(e,`must be ${Object.
keys(Vn).join(", ")}, or a list of these; got ${w(t)}`);let o=n.join(" or ");return(s,i)=>r.some(u=>u?.(s))?void 0:`${i}\
 must be of the type ${o}, got ${w(s)}`},enum(t){let e=Pe(t);return(n,r)=>e.some(o=>sn(o,n))?void 0:`${r} must be one of\
 ${JSON.stringify(e)}`},const({given:t}){return(e,n)=>sn(t,e)?void 0:`${n} must be ${JSON.stringify(t)}`},properties(t){
let e=Object.entries(ns(t)).map(([n,r])=>[n,t.reader.read(r,`${t.place}/${n}`)]);return(n,r)=>{if(M(n))for(let[o,s]of e){
let i=Object.hasOwn(n,o)?s(n[o],zn(r,o)):void 0;if(i!==void 0)return i}}},required({given:t,place:e}){if(!Array.isArray(
t)||!t.every(r=>typeof r=="string"))throw N(e,"must be a list of names");let n=t;return(r,o)=>{let s=M(r)?n.find(i=>!Object.
hasOwn(r,i)):void 0;return s===void 0?void 0:`${zn(o,s)} is missing`}},additionalProperties({reader:t,schema:e,given:n,place:r}){
let o=new Set(M(e.properties)?Object.keys(e.properties):[]),s=t.read(n,r);return(i,u)=>{if(M(i))for(let d of Object.keys(
i)){let c=o.has(d)?void 0:s(i[d],zn(u,d));if(c!==void 0)return c}}},minProperties:a(t=>{let e=L(t,0);return(n,r)=>M(n)&&
Object.keys(n).length<e?`${r} must have at least ${e} fields`:void 0},"minProperties"),maxProperties:a(t=>{let e=L(t,0);
return(n,r)=>M(n)&&Object.keys(n).length>e?`${r} must have at most ${e} fields`:void 0},"maxProperties"),items({reader:t,
schema:e,given:n,place:r}){let o=Array.isArray(e.prefixItems)?e.prefixItems.length:0,s=t.read(n,r);return(i,u)=>{if(Array.
isArray(i))for(let d=o;d<i.length;d+=1){let c=s(i[d],`${u}[${d}]`);if(c!==void 0)return c}}},prefixItems(t){let e=Pe(t).
map((n,r)=>t.reader.read(n,`${t.place}/${r}`));return(n,r)=>{if(Array.isArray(n))for(let[o,s]of e.entries()){let i=o<n.length?
s(n[o],`${r}[${o}]`):void 0;if(i!==void 0)return i}}},minItems:a(t=>{let e=L(t,0);return Yn(n=>n.length>=e,`at least ${e}\
 entries`)},"minItems"),maxItems:a(t=>{let e=L(t,0);return Yn(n=>n.length<=e,`at most ${e} entries`)},"maxItems"),uniqueItems:a(
({given:t})=>Yn(e=>t!==!0||new Set(e.map(ts)).size===e.length,"no entry twice"),"uniqueItems"),minimum:a(t=>{let e=L(t);
return Ee(n=>n>=e,`at least ${e}`)},"minimum"),maximum:a(t=>{let e=L(t);return Ee(n=>n<=e,`at most ${e}`)},"maximum"),exclusiveMinimum:a(
t=>{let e=L(t);return Ee(n=>n>e,`more than ${e}`)},"exclusiveMinimum"),exclusiveMaximum:a(t=>{let e=L(t);return Ee(n=>n<
e,`less than ${e}`)},"exclusiveMaximum"),multipleOf:a(t=>{let e=L(t);if(e<=0)throw N(t.place,"must be above 0");return Ee(
a(r=>Math.abs(r/e-Math.round(r/e))<1e-9,"isWhole"),`a multiple of ${e}`)},"multipleOf"),minLength:a(t=>{let e=L(t,0);return qn(
n=>sr(n)>=e,`at least ${e} characters`)},"minLength"),maxLength:a(t=>{let e=L(t,0);return qn(n=>sr(n)<=e,`at most ${e} c\
haracters`)},"maxLength"),pattern({given:t,place:e}){let n;try{n=new RegExp(t,"u")}catch(r){throw N(e,`is no regular exp\
ression: ${r.message}`)}return qn(r=>n.test(r),`the pattern ${n.source}`)},allOf(t){let e=Pe(t).map((n,r)=>t.reader.read(
n,`${t.place}/${r}`));return(n,r)=>e.reduce((o,s)=>o??s(n,r),void 0)},anyOf(t){let e=Pe(t).map((n,r)=>t.reader.read(n,`${t.
place}/${r}`));return(n,r)=>{let o=e.map(s=>s(n,r));return o.includes(void 0)?void 0:`${r} fits none of the alternatives\
: ${o.join("; ")}`}},oneOf(t){let e=Pe(t).map((n,r)=>t.reader.read(n,`${t.place}/${r}`));return(n,r)=>{let o=e.map(i=>i(
n,r)),s=o.filter(i=>i===void 0).length;if(s!==1)return s>1?`${r} fits ${s} alternatives, not one`:`${r} fits none of the\
 alternatives: ${o.join("; ")}`}},not({reader:t,given:e,place:n}){let r=t.read(e,n);return(o,s)=>r(o,s)===void 0?`${s} m\
ust not be as it is`:void 0},$ref({reader:t,given:e,place:n}){if(typeof e!="string")throw N(n,`must be a text, got ${w(e)}`);
return t.read(t.find(e,n),e)}},rs=Object.keys(Qn),os=rs.join(", ");function ar(t){if(t===void 0)return;if((typeof t=="object"&&t!==null||typeof t=="function")&&"~standard"in t)return ss(t);
if(typeof t!="object"||t===null||Array.isArray(t))throw h("`schema`","a Standard Schema or a JSON Schema object",t);let n=ir(
t);return{schema:t,check(r,o){if(r===void 0)return ur;let s=dr(r,o);if("wrong"in s)return s;let i=JSON.parse(s.json);try{
let u=n(i,"value");return u===void 0?{value:i,json:s.json}:{wrong:u}}catch(u){return{wrong:`the schema failed: ${x(u)}`}}}}}
a(ar,"readSchema");var ur={wrong:"the result has no `value`, and its `schema` asks for one"};function ss(t){let e=t["~st\
andard"],{validate:n}=typeof e=="object"&&e!==null?e:{};if(typeof n!="function")throw h("`schema`","a Standard Schema wi\
th `validate`",t);return{schema:t,check(r,o){if(r===void 0)return ur;let s=a(u=>({wrong:`the schema failed: ${x(u)}`}),"\
failed"),i=a(u=>{try{return is(u,o)}catch(d){return s(d)}},"judge");try{let u=n(r);return typeof u=="object"&&u!==null&&
typeof u.then=="function"?Promise.resolve(u).then(i,s):i(u)}catch(u){return s(u)}}}}a(ss,"readStandard");function is(t,e){
if(typeof t!="object"||t===null)return{wrong:`the schema failed: it answered ${w(t)}`};if(t.issues!==void 0)return{wrong:t.
issues.map(as).join("; ")||"the schema refused the value"};let n=dr(t.value,e);return"wrong"in n?n:{value:t.value,json:n.
json}}a(is,"judged");function as({message:t,path:e=[]}){return`value${e.map(r=>typeof r=="object"?r.key:r).map(String).map(
r=>/^\d+$/.test(r)?`[${r}]`:`.${r}`).join("")}: ${t}`}a(as,"sayIssue");function dr(t,e){let n=`as JSON, and \`maxResultBy\
tes\` allows ${e}`,r=Math.max(e,_),o;try{o=ze(t,r,`it has more than ${r} bytes ${n}`)}catch(i){return{wrong:`value is no\
 JSON: ${x(i)}`}}if(o===void 0)return{wrong:`value is no JSON: ${w(t)}`};let s=o.length*3<=e?o.length:new TextEncoder().
encode(o).length;return s>e?{wrong:`value has ${s} bytes ${n}`}:{json:o}}a(dr,"store");function an(t){return t.staged??=gr({}),t.staged}a(an,"stagedBy");var us=["instructions","goal","message","task","taskDe\
scription","task_description"],cr=(()=>{let t=je.flatMap(({name:e,alias:n})=>n===void 0?[e]:[e,n]);return new Set([...t,
"idempotencyKey","origin","format"])})(),fr=new Set(["instructions","goal","message","task","taskDescription","task_desc\
ription","maxCost","budget","signal","schema"]);function Ie(t,e,n=!1){try{return ds(t,e,n)}catch(r){throw Nn("the option\
s of spawn",r)}}a(Ie,"readSpawn");function ds(t,e,n){let o=typeof t=="object"&&t!==null&&Object.getPrototypeOf(t)===Object.
prototype?t:T("the options of spawn",t),s={text:void 0,renamed:!1,background:!1,manual:!1,answers:0,tokens:Number.NaN,cost:Number.
NaN,turns:Number.NaN,staged:void 0,asked:void 0,signal:void 0,schema:void 0,watch:void 0},i,u=!1;for(let d of Object.getOwnPropertyNames(
o))if(d==="instructions")s.text=hr(o,d,s.text);else if(cr.has(d))i??={__proto__:null},i[d]=o[d];else if(d==="background"){
let{background:c}=o;if(c!==void 0&&typeof c!="boolean")throw h("`background`","a boolean",c);s.background=c===!0,u=c!==void 0}else if(fr.
has(d))ls(s,o,d);else if(Object.prototype.propertyIsEnumerable.call(o,d))throw Ae("spawn",d,[...cr,...fr,"background"]);
if(Number.isNaN(s.cost)||(s.asked=lr(s,o)),i!==void 0||n&&!Number.isNaN(s.cost)){if(s.staged=gr(i??{}),s.asked=lr(s,o),n&&
cs(s,s.staged),s.staged.idempotencyKey!==void 0&&(s.staged.parameters=fs(s)),e?.agents.fill(s,s.staged,u),s.staged.onParentEnd!==
void 0&&!s.background)throw new y("invalid_argument","`onParentEnd` is for `background: true`: others end with their cal\
ler",{argument:"onParentEnd"});s.staged.profile!==void 0&&e?.profiles.check(s.staged.profile)}return s}a(ds,"read");function lr({
staged:t,cost:e},n){return{tools:t?.tools,maxTurns:Object.hasOwn(n,"maxTurns")?t?.maxTurns:void 0,maxCost:Object.hasOwn(
n,"maxCost")&&!Number.isNaN(e)?e:void 0}}a(lr,"askedOf");function cs(t,e){e.wishedTurns=e.maxTurns,e.maxTurns=void 0,!Number.
isNaN(t.cost)&&(e.wishedCost=t.cost,t.cost=Number.NaN)}a(cs,"wish");function fs({signal:t,renamed:e,schema:n,asked:r,staged:o,
...s}){let{idempotencyKey:i,metadata:u,...d}=o;return JSON.stringify({...s,...d},(c,f)=>typeof f=="number"?`${f}`:f)}a(fs,
"parametersOf");function hr(t,e,n){let r=t[e];if(r===void 0)return n;let o=E(`\`${e}\``,r),s=a(i=>new y("invalid_argumen\
t",`\`${e}\` ${i}`,{argument:e}),"wrong");if(n!==void 0)throw s(`says the same as another option: give one of ${us.join(
", ")}`);if(o.trim()==="")throw s("must not be empty");return z(o)}a(hr,"readText");function ls(t,e,n){switch(n){case"ma\
xCost":{let r=Fn("`maxCost`",e.maxCost);r!==void 0&&(t.cost=mr(t.cost,r,"maxCost"));return}case"budget":{let r=Re("budge\
t",e.budget);r.tokens!==void 0&&(t.tokens=r.tokens),r.costUsd!==void 0&&(t.cost=mr(t.cost,r.costUsd,"budget.costUsd")),r.
turns!==void 0&&(t.turns=r.turns);return}case"schema":{t.schema=ar(e.schema);return}case"signal":{t.signal=Ve("`signal`",
e.signal);return}default:{let r=hr(e,n,t.text);t.renamed||=r!==t.text,t.text=r}}}a(ls,"readOther");function mr(t,e,n){if(!Number.
isNaN(t))throw q("`maxCost` and `budget.costUsd`",n);return e}a(mr,"only");function gr(t){let e=Object.create(null);for(let{
name:n,alias:r,staged:o,kind:s}of je){let i=pr(s,n,t[n]),u=r===void 0?void 0:pr(s,r,t[r]);if(i!==void 0&&u!==void 0)throw q(
`\`${n}\` and \`${r}\``,r);i??=u,i!==void 0&&(e[o]=i)}return t.idempotencyKey!==void 0&&(e.idempotencyKey=Ye("`idempoten\
cyKey`",t.idempotencyKey)),t.origin!==void 0&&Object.assign(e,ms(t.origin)),br(t.format)==="json"&&(e.json=!0),e}a(gr,"r\
eadStaged");function pr(t,e,n){if(n===void 0)return;let r=`\`${e}\``;switch(t){case"text":return G(r,n);case"label":return G(
r,n)?.trim()===""?void 0:n;case"name":return Ye(r,n);case"reference":return n===null?void 0:Ye(r,n);case"texts":return Y(
r,n);case"count":return $(r,n);case"duration":return ve(r,n);case"integer":return Ut(r,n);case"onParentEnd":if(!Hn.includes(
n))throw h(r,`one of ${Hn.join(", ")}`,n);return n;case"retry":return on(e,n);case"metadata":return nr(e,n);default:return t}}
a(pr,"readPassed");function ms(t){let e=T("`origin`",t,"an object with channel and chatId"),{channel:n,chatId:r,...o}=e;
if(J("origin",o,["channel","chatId"]),n!==void 0&&(typeof n!="string"||n===""||n.includes(":")))throw h("`origin.channel\
`","a text without a colon",n);if(r!==void 0&&(typeof r!="string"||r===""))throw h("`origin.chatId`","a text",r);return{
originChannel:G("`origin.channel`",n),originChatId:G("`origin.chatId`",r)}}a(ms,"originOf");function br(t){if(t===void 0||
t==="text"||t==="json")return t;throw h("`format`","'text' or 'json'",t)}a(br,"formatOf");var yr={description:!0,prompt:!0,model:!0,disallowedTools:!0},me=class{static{a(this,"Agents")}#e=new Map;constructor(e){
if(e!==void 0)for(let[n,r]of Object.entries(T("`agents`",e,"an object of definitions")))this.#e.set(n,v(`\`agents.${n}\``,
()=>ps(n,r)))}get names(){return[...this.#e.keys()]}get descriptions(){return[...this.#e].map(([e,{description:n}])=>`- ${e}\
: ${n}`).join(`
`)}checkProfiles(e){for(let{staged:n}of this.#e.values())n.profile!==void 0&&e.check(n.profile)}fill(e,n,r){let{sourceAgentId:o}=n;
if(o===void 0)return;let s=this.#e.get(o);if(s===void 0){let{names:d}=this,c=d.length===0?"none is defined":`there are ${d.
join(", ")}`;throw new y("unknown_agent",`there is no agent called ${w(o)}; ${c}`,{agent:o,known:d})}let{request:i,staged:u}=s;
Number.isNaN(e.tokens)&&(e.tokens=i.tokens),Number.isNaN(e.cost)&&(e.cost=i.cost),Number.isNaN(e.turns)&&(e.turns=i.turns),
r||(e.background=i.background),e.schema??=i.schema;for(let d of Object.keys(u))n[d]===void 0&&(n[d]=u[d])}};function ps(t,e){
if(t==="")throw new y("invalid_argument","the name of an agent must not be empty");ie("the name of an agent",t);let n=T(
`\`agents.${t}\``,e),{description:r,prompt:o,model:s,disallowedTools:i}=n;if(typeof r!="string"||r.trim()==="")throw h(`\
\`agents.${t}.description\``,"a text",r);let u=Object.entries(n).filter(([f])=>!Object.hasOwn(yr,f)),d=u.find(([f])=>!wr.
has(f))?.[0];if(d!==void 0)throw xe(`an agent has no \`${d}\`: \`agents.${t}\``,d,[...wr,...Object.keys(yr)],{argument:`\
agents.${t}.${d}`});let c=Object.fromEntries(u);o!==void 0&&(c.systemPrompt=o),s!==void 0&&s!=="inherit"&&(c.modelId=s),
c.agent=t;try{let f=Ie(c),l=f.staged;return i!==void 0&&(l.disallowedTools=Y("`disallowedTools`",i)),{description:r.trim(),
request:f,staged:l}}catch(f){let{code:l,message:m,details:p}=f;throw new y(l,`agents.${t}: ${m}`,{...p})}}a(ps,"read");var wr=(()=>{
let t=je.filter(({isDefined:e})=>e).map(({name:e})=>e);return new Set([...t,"background","budget","maxCost","schema"])})();var _e={maxConcurrent:3,maxQueued:1e5,maxDepth:1,maxChildren:32,maxTasks:1e5,retain:1e3,maxSessions:1e4,maxAbandoned:16,
maxTurns:20,turnEstimate:2e3,wrapUpTokens:1e3,timeoutMs:18e5,graceMs:1e4,idleTimeoutMs:3e5,abandonMs:6e4,askTimeoutMs:6e5,
maxMessages:20,maxResultBytes:1048576,inlineBytes:16384,maxSummaryTokens:2e3,approvalTimeoutMs:6e5,ageingMs:1e4,idempotencyTtlMs:864e5,
maxIdempotencyKeys:1e5,staggerMs:0,maxCooldownMs:36e5,maxCooldowns:1e3,leaseMs:6e4,maxDeliveries:5,maxNotices:1e5,maxInjected:32};var kr;function D(t,e){kr??=new Map(Object.keys(_e).map((r,o)=>[r,o]));let n=kr.get(e);return t.call(r=>r.limit(n))}a(D,
"limitOf");var un={maxSubAgentSteps:"maxTurns"},Sr=[...Object.keys(_e),...Object.keys(un),"budget","totalTokenBudget","taskBudget",
"onLimit"];function gs(t){let e=Object.keys(un).filter(n=>un[n]===t);return[t,...e].map(n=>`\`${n}\``).join(", ")}a(gs,"\
namesOf");var dn=class{static{a(this,"Bounds")}#e=new Map;#n={};#t;#r;#o;take(e,n){let r=un[e]??e;if(e==="budget")this.#n=
Re(e,n);else if(e==="totalTokenBudget")this.#t=$("`totalTokenBudget`",n);else if(e==="taskBudget")this.#r=Re(e,n);else if(e===
"onLimit"){if(n!=="queue"&&n!=="reject")throw h("`onLimit`","'queue' or 'reject'",n);this.#o=n}else if(Object.hasOwn(_e,
r))this.#s(e,r,n);else return!1;return!0}#s(e,n,r){if(typeof r!="number")throw h(`\`${e}\``,"a number",r);if(e!==n&&$(`\`${e}\
\``,r),this.#e.has(n))throw new y("invalid_argument",`\`${n}\` and its alias say the same: give one of ${gs(n)}`,{argument:e});
this.#e.set(n,r)}apply(e,n={}){let r=this.#n;if(this.#t!==void 0){if(r.tokens!==void 0)throw q("`totalTokenBudget` and `\
budget.tokens`","totalTokenBudget");r={...r,tokens:this.#t}}let o={budget:r,taskBudget:this.#r,onLimit:this.#o},s={...n,
limits:[...this.#e],...o};if(!e.call(i=>i.configure(b(),s)))throw this.#i(e.refusal());e.carryOut(),e.expectSound()}#i(e){
let{code:n,message:r,details:o}=e,s=[...this.#e].find(([i])=>r.startsWith(`\`${i}\``));return s===void 0?e:new y(n,`${r}\
, got ${w(s[1])}`,{...o})}};var Zn="minimal";function bs(t){return["You are a sub-agent: another agent gave you one task, and you see nothing else o\
f its work.","- Work on this task and on nothing else.","- You can not send messages to the user or ask them anything.",
...t?[]:["- You can not start sub-agents."],"- End with a clear and concise summary of what you did and what you found. \
It is all that the other agent gets."].join(`
`)}a(bs,"minimal");var pe=class{static{a(this,"Profiles")}#e=new Map([[Zn,(e,n)=>bs(n)]]);constructor(e){if(e!==void 0)for(let[
n,r]of Object.entries(T("`profiles`",e,"an object of functions"))){if(ie("the name of a profile",n),typeof r!="function")
throw h(`\`profiles.${n}\``,"a function that makes a system prompt",r);this.#e.set(n,o=>r(o()))}}get names(){return[...this.#e.
keys()]}check(e){if(this.#e.has(e))return;let n=[...this.#e.keys()];throw new y("unknown_profile",`there is no profile c\
alled ${w(e)}; there are ${n.join(", ")}`,{profile:e,known:n})}prompt(e,n,r){this.check(e);let o;try{o=this.#e.get(e)?.(
n,r)}catch(s){throw new y("invalid_argument",`the profile ${w(e)} failed: ${x(s)}`,{},{cause:s})}if(typeof o!="string")throw h(
`what the profile ${w(e)} returns`,"a string",o);return o}};var Ar=512,xr=1024;function cn(t){let e=t%Ar;return{turn:Math.floor(t/xr),injects:t%xr>=Ar,wrapUp:e===0?void 0:R[e-1]}}a(
cn,"turnOf");function fn(t,e,n){let r=a(o=>!e||t.unknown.includes(o)||t.invalid.includes(o)?null:t[o],"known");return{tokens:r("token\
s"),costUsd:r("costUsd"),turns:r("turns"),durationMs:e?n:null}}a(fn,"figuresOf");function Or(t,e,n){let{actor:r,runtime:o}=t,s=t.policing(),i=t.isMain?void 0:o.lookup.snapshot(r.slot,r.generation),u=i===
void 0?Rr:fn(i.usage,i.startedAt!==null,i.durationMs);return{taskId:i?.taskId??null,status:e,reason:n,partial:!0,output:Tr(
o,i?.output??""),error:null,stats:et(s,{...u,turns:s?.turns??null}),todos:Oe(s?.todos??""),recentMessages:[...t.messages]}}
a(Or,"reportOf");function vr(t,e,n,r){let o=n.call(s=>s.policing(r.slot,r.generation));return{taskId:t.taskId,status:t.status,
reason:t.stopReason,partial:t.partial,output:Tr(n,ys(t,e,n,r)),error:t.error??null,stats:et(o,t.figures),todos:Oe(o?.todos??
""),recentMessages:[...e?.messages??[]]}}a(vr,"reportOfResult");function he(t){return Ue(t)}a(he,"reportText");function ln(t,e,n){
return{taskId:t,status:e,reason:null,partial:!1,output:"",error:n,stats:et(void 0,Rr),todos:[],recentMessages:[]}}a(ln,"\
reportOfNone");var Rr={tokens:null,costUsd:null,turns:null,durationMs:null};function et(t,{tokens:e,costUsd:n,turns:r,durationMs:o}){
let{contextTokens:s=null,openTodos:i=0,counts:u=[]}=t??{};return{turns:r,tokens:e,costUsd:n,durationMs:o===null?null:Math.
round(o),contextTokens:s,openTodos:i,counts:Object.fromEntries(u)}}a(et,"stats");function ys(t,e,n,{slot:r,generation:o}){
let{output:s}=t,i=s===""?null:ws(t,e,n,r,o);if(i===null||i!==s)return s;let u=nt(i);return u===void 0?s:u.output||(u.recentMessages.
at(-1)??"")}a(ys,"outputOf");function ws(t,e,n,r,o){if(e?.report!==void 0)return e.report;if(n.isClosed||n.call(u=>u.status(
r,o))<0)return null;let{run:s,report:i}=n.lookup.snapshot(r,o);return s===t.run?i:null}a(ws,"madeByPolicy");function nt(t){
if(t.startsWith('{"taskId":'))try{let{output:e,recentMessages:n,stats:r,status:o}=JSON.parse(t);return typeof o=="string"&&
typeof e=="string"&&typeof r=="object"&&Array.isArray(n)?JSON.parse(t):void 0}catch{return}}a(nt,"readReport");function Tr(t,e){
if(e==="")return"";let n=t.write(e);return t.call(r=>r.inline(n))}a(Tr,"inlined");var ks=10,Ss=500,Ce=class{static{a(this,"Agent")}runtime;actor;messages=[];blockedBecause=void 0;report=void 0;asksForTurn=!1;readPrompt;injected=[];waiting=0;pending=new Set;stopped=!1;constructor(e,n,r){
this.runtime=e,this.actor=n,this.readPrompt=r}get isMain(){return this.actor.run===0}get prompt(){return this.readPrompt()}say(e){
this.messages.push(qe(e,Ss)),this.messages.length>ks&&this.messages.shift()}inject(e){this.injected.push(e)}get hasInjected(){
return this.injected.length>0}takeInjected(){let e=this.injected;return this.injected=[],e}context(e,n){return Object.assign(
new tt(this,e),n)}policing(){let{slot:e,generation:n}=this.actor;return this.runtime.call(r=>r.policing(e,n))}count(e,n,r){
let{slot:o,generation:s,run:i}=this.actor,u=this.runtime.write(e);return this.runtime.act(d=>d.count(b(),o,s,i,u,n,r))}rule(e,{
answer:n,policy:r,text:o,reason:s}){if(this.runtime.isClosed)return!1;let{slot:i,generation:u,run:d}=this.actor;n==="blo\
ck"&&!e.endsWith("_tool")&&(this.blockedBecause??=o),n==="finish"&&(this.report=o);let c=this.runtime.write(r),f=this.runtime.
write(r+o)-c,[l,m,p]=[rr.indexOf(e),or.indexOf(n),R.indexOf(s)];return this.runtime.act(k=>k.rule(b(),i,u,d,l,m,p,c,f))}wait(e){
if(e==="on_timeout")return()=>{};let{slot:n,generation:r,run:o}=this.actor,s=this.isMain?new re(()=>this.end("overdue")):
void 0;if(this.waiting+=1,s!==void 0){let i=this.runtime.isClosed?0:D(this.runtime,"approvalTimeoutMs");s.hold(!0),i!==Number.
POSITIVE_INFINITY&&s.set(b()+i)}else this.waiting===1&&!this.runtime.isClosed&&this.runtime.act(i=>i.awaitApproval(b(),n,
r,o));return()=>{this.waiting-=1,s?.stop(),!(this.waiting>0||this.isMain||this.runtime.isClosed||e==="before_start")&&this.
runtime.act(i=>i.approved(b(),n,r,o,!1))}}until(e){return this.stopped?Promise.resolve("stopped"):new Promise(n=>{let r=a(
o=>{this.pending.delete(r),n(o)},"end");this.pending.add(r),e.then(o=>r({value:o}),o=>r({error:o}))})}stop(){this.stopped=
!0,this.end("stopped")}overdue(){this.end("overdue")}end(e){for(let n of[...this.pending])n(e)}},tt=class{static{a(this,
"Context")}#e;#n;#t;constructor(e,n){this.#e=e,this.#n=n}get#r(){return this.#t??=this.#e.policing(),this.#t}get agent(){
return this.#e.isMain?"main":"sub"}get taskId(){let{slot:e,generation:n}=this.#e.actor;return this.#e.isMain?null:this.#e.
runtime.lookup.taskId(e,n)}get run(){return this.#e.actor.run}get prompt(){return this.#e.prompt}get turns(){return this.#r?.
turns??0}get contextTokens(){return this.#r?.contextTokens??void 0}get todos(){return Oe(this.#r?.todos??"")}get openTodos(){
return this.#r?.openTodos??0}get recentMessages(){return[...this.#e.messages]}count(e,n={}){let r=this.#e.count(this.#n,
e,n.openTodosOnly===!0);return r>0?"counted":r===0?"nothing_to_count":"exhausted"}report(e,n){return Or(this.#e,e,n)}};var Ir={before_spawn:"beforeSpawn",before_start:"beforeStart",before_turn:"beforeTurn",before_tool:"beforeTool",after_tool:"\
afterTool",before_end:"beforeEnd",on_timeout:"onTimeout"},_r=["name","blockedTools",...Object.values(Ir)],jr={before_spawn:[
"inject","block","finish"],before_start:["inject","block","finish"],before_turn:["inject","block","finish"],before_tool:[
"inject","block","finish"],after_tool:["inject","block","finish"],before_end:["inject","force_turn","block","finish"],on_timeout:[
"inject","finish"]},ge=class{static{a(this,"PolicyList")}blockedTools;#e=new Map;constructor(e,n){let r=new Map,o=new Set;
for(let{policy:s,place:i}of As(e,n)){let u=xs(s,i),d=(r.get(u)??0)+1;r.set(u,d),this.#n(s,i,d===1?u:`${u}#${d}`);let c=Y(
mn(i,"blockedTools"),rt(s,i,"blockedTools"));for(let f of c??[])o.add(f)}this.blockedTools=[...o]}#n(e,n,r){let o=v(n,()=>Os(
e));if(o!==void 0)throw He("a policy",o,_r);for(let[s,i]of Object.entries(Ir)){let u=rt(e,n,i);if(u===void 0)continue;if(typeof u!=
"function")throw h(mn(n,i),"a function",u);let d=this.#e.get(s)??[];d.push({name:r,ask:a(c=>Reflect.apply(u,e,[c]),"ask")}),
this.#e.set(s,d)}}has(e){return this.#e.has(e)}ask(e,n,r){let o=this.#e.get(e)??[];for(let[s,i]of o.entries()){let u=Pr(
i,n,r);if("later"in u)return e!=="before_spawn"?this.#t(e,n,r,s,u.later):(u.later.then(void 0,()=>{}),ot(e,n,i.name,new Error(
"it has to answer at once here, it returned a promise")));let d=Er(e,n,i.name,u);if(d!==void 0)return d}}async#t(e,n,r,o,s){
let i=this.#e.get(e)??[],u=n.wait(e);try{let d=s;for(let c=o;c<i.length;c+=1){let f=i[c],l;if(d===void 0){let p=Pr(f,n,r);
l="later"in p?await n.until(p.later):p}else l=await n.until(d),d=void 0;if(l==="stopped")return;let m=Er(e,n,f.name,l===
"overdue"?{error:new Error("it took too long to answer")}:l);if(m!==void 0)return m}return}finally{u()}}};function As(t,e){
return e===void 0?[]:F(t,"a list of policies",e,(n,r)=>({policy:se(r,n,"a policy"),place:r}))}a(As,"policiesOf");function mn(t,e){
return t.endsWith("`")?`${t.slice(0,-1)}.${e}\``:`\`${e}\` of ${t}`}a(mn,"within");function rt(t,e,n){return v(mn(e,n),()=>C(
t,n))}a(rt,"partOf");function xs(t,e){let n=rt(t,e,"name")??"policy";return z(E(mn(e,"name"),n))}a(xs,"nameIn");function Os(t){
let e=Object.getPrototypeOf(t),n=e===null||Object.getPrototypeOf(e)===null;return Object.keys(t).find(r=>!_r.includes(r)&&
(n||/^(before|after|on)[A-Z]/.test(r)))}a(Os,"strangerIn");function Pr(t,e,n){try{let r=t.ask(e.context(t.name,n));return typeof r==
"object"&&r!==null&&typeof r.then=="function"?{later:new Promise(s=>s(r))}:{value:r}}catch(r){return{error:r}}}a(Pr,"ans\
werOf");function Er(t,e,n,r){if("error"in r)return ot(t,e,n,r.error);try{return vs(t,n,r.value)}catch(o){return ot(t,e,n,
o)}}a(Er,"judge");function ot(t,e,n,r){let o=`the policy ${n} failed: ${x(r)}`;if(t!=="after_tool"&&t!=="on_timeout")return{
answer:"block",policy:n,text:o,reason:"policy"};e.runtime.report(r)}a(ot,"failed");function vs(t,e,n){if(n==null)return;
if(typeof n!="object")throw new Error(`it answered ${w(n)}`);let r=a(l=>C(n,l),"part"),[o,s,i,u,d="policy"]=["action","t\
ext","reason","report","stopReason"].map(r);if(o==="continue")return;let c=o;if(!jr[t].includes(c))throw new Error(`it a\
nswered ${w(o)}, here it may answer ${["continue",...jr[t]].join(", ")}`);let f={inject:s,force_turn:s??"Take another tu\
rn before you end.",block:i,finish:u}[c];if(typeof f!="string")throw new Error(`it answered ${c} with ${w(f)} where a te\
xt belongs`);if(!R.includes(d))throw new Error(`it answered with the stop reason ${w(d)}`);return{answer:c,policy:e,text:z(
E("what it says",f)),reason:d}}a(vs,"read");var be=class{static{a(this,"Gates")}sub;runtime;policies;limits;mains=new Map;constructor(e,n,r){this.runtime=e,this.sub=
new ge("`policies.subAgents`",n.subAgents),this.policies=new ge("`policies.main`",n.main),this.limits=r}sessionPolicies(e){
return e===void 0?this.policies:new ge("`policies`",e)}openSession(e,n,r){this.mains.set(e.slot,this.newMain(e,n,{...this.
limits,...r}))}main(e){let n=this.mains.get(e.slot);if(n?.agent.actor.generation===e.generation)return n;let r=this.newMain(
e,this.policies,this.limits);return n===void 0&&this.mains.set(e.slot,r),r}newMain(e,n,r){let s={agent:new Ce(this.runtime,
e,()=>s.prompt),policies:n,limits:r,prompt:""};return s}agentOf(e){return e.agent??=new Ce(this.runtime,e,()=>e.prompt()),
e.agent}listFor(e){return e.isMain?this.main(e.actor).policies:this.sub}close(){for(let{agent:e}of this.mains.values())e.
stop()}beforeSpawn(e,n,r){let o=e.run===0,s=o?this.main(e).policies:this.sub;if(!s.has("before_spawn"))return;let i=o?this.
main(e).agent:this.agentOf(e),u=s.ask("before_spawn",i,{task:n.text,params:r});if(u===void 0)return;i.rule("before_spawn",
u);let{answer:d,policy:c,text:f}=u;if(d==="inject"){let l=an(n);l.contextHint=l.contextHint===void 0||l.contextHint===""?
f:`${l.contextHint}

${f}`;return}throw new y("policy_blocked",f,{policy:c,...d==="finish"&&{report:f}})}start(e,n){let r=this.agentOf(e),o=this.
sub.ask("before_start",r,{});if(o instanceof Promise){this.runtime.alone(o.then(s=>this.started(e,s,n)));return}this.decideStart(
e,o,n)}started(e,n,r){let{runtime:o}=this;if(o.isClosed||e.settled)return;let{slot:s,generation:i,run:u}=e,d=(n===void 0||
n.answer==="inject")&&!this.isStopping(e);e.starting=()=>this.decideStart(e,n,r),!(o.act(c=>c.approved(b(),s,i,u,d))===0&&
d)&&e.takeStart()?.()}decideStart(e,n,r){let o=this.agentOf(e);n!==void 0&&o.rule("before_start",n),n?.answer==="inject"&&
o.inject(n.text),(n===void 0||n.answer==="inject")&&!this.isStopping(e)?r():this.runtime.hosts.settle(e,fe())}isStopping(e){
let{slot:n,generation:r,run:o}=e;return!this.runtime.call(s=>s.isOpen(n,r,o))||this.runtime.lookup.snapshot(n,r).cancelRequested}async beforeTurn(e,n){
e.asksForTurn=!0;try{let r=await this.listFor(e).ask("before_turn",e,{});if(this.runtime.check(),r!==void 0){let i=e.rule(
"before_turn",r);if(r.answer==="inject")e.inject(r.text);else if(i)return Cr(r)}let o=await n();if(!o.go)return o;let s=e.
takeInjected();return s.length===0?o:{...o,inject:[...o.inject??[],...s]}}finally{e.asksForTurn=!1}}async mainTurn(e,n){
let{runtime:r}=this;r.check();let o=this.main(e),{agent:s,policies:i}=o,{slot:u,generation:d}=e;if(s.asksForTurn)throw new y(
"invalid_argument","the last beforeTurn has not answered yet");if(n!==void 0&&(r.act(c=>c.endMain(b(),u,d)),o.prompt=n),
(s.policing()?.turns??0)===0&&i.has("before_start")){s.asksForTurn=!0;let c=await i.ask("before_start",s,{});if(s.asksForTurn=
!1,r.check(),c!==void 0){if(s.rule("before_start",c),c.answer!=="inject")return Cr(c);s.inject(c.text)}}return this.beforeTurn(
s,()=>this.takeMainTurn(o))}async takeMainTurn(e){let{agent:n,policies:r,limits:o}=e,{slot:s,generation:i}=n.actor,{maxTurns:u=st,
maxContextTokens:d=st,timeoutMs:c=st}=o,f=this.runtime.call(O=>O.beginMainTurn(b(),s,i,u,d,c));if(f===-1)throw this.runtime.
refusal();if(f<0){this.runtime.carryOut();let O=R[-2-f]??"policy";return O!=="policy"?{go:!1,reason:O}:{go:!1,reason:O,message:`\
the context has ${n.policing()?.contextTokens} tokens, the limit is ${d}`}}let{turn:l,injects:m,wrapUp:p}=cn(f),k=m?{inject:this.
runtime.call(O=>O.takeInject())}:void 0;if(this.runtime.carryOut(),p===void 0)return{go:!0,turn:l,...k};let g=await r.ask(
"on_timeout",n,{reason:"timeout"}),S=g===void 0?void 0:this.timeoutAnswered(n,g);return{go:!0,turn:l,wrapUp:!0,reason:"t\
imeout",...k,...S!==void 0&&{report:S}}}async beforeTool(e,n,r){let{runtime:o}=this,{slot:s,generation:i,run:u}=e.actor;
if(o.check(),E("a tool's name",n)==="")throw h("a tool's name","a text that is not empty",n);if(!e.isMain){let l=o.write(
n);if(!o.call(m=>m.mayUse(s,i,u,l)))return this.toolRefused(e)}let d=this.listFor(e),c=d.has("before_tool")?await d.ask(
"before_tool",e,{tool:n,args:r}):void 0;if(o.check(),c!==void 0){if(e.rule("before_tool",c),c.answer==="block")return{allowed:!1,
reason:c.text};if(c.answer==="finish")return{allowed:!1,reason:c.text,finished:!0}}let f=o.write(n);return o.call(l=>l.beginTool(
b(),s,i,u,f))?(o.carryOut(),c===void 0?{allowed:!0}:{allowed:!0,inject:[c.text]}):this.toolRefused(e)}toolRefused(e){let{
code:n,message:r}=this.runtime.refusal();return n==="tool_blocked"&&e.rule("before_tool",{answer:"block",policy:"tools",
text:r,reason:"policy"}),{allowed:!1,reason:r}}async afterTool(e,n,r){let{runtime:o}=this,{slot:s,generation:i,run:u}=e.
actor;if(o.check(),E("a tool's name",n)==="")throw h("a tool's name","a text that is not empty",n);let c=!e.isMain&&o.call(
p=>p.endTool(b(),s,i,u))?o.call(p=>p.takeInject()):[];o.carryOut();let f=this.listFor(e),l=f.has("after_tool")?await f.ask(
"after_tool",e,{tool:n,result:r}):void 0;l!==void 0&&(o.check(),e.rule("after_tool",l),l.answer==="inject"&&c.push(l.text));
let m=c.length===0?{}:{inject:c};return l?.answer==="block"?{withheld:!0,reason:l.text,...m}:l?.answer==="finish"?{withheld:!1,
finished:!0,...m}:{withheld:!1,...m}}async beforeEnd(e,n){let{runtime:r}=this;r.check(),E("`output`",n);let o=this.listFor(
e),s=o.has("before_end")?await o.ask("before_end",e,{output:n}):void 0;if(r.check(),s!==void 0&&(e.rule("before_end",s),
s.answer==="inject"||s.answer==="force_turn"))return{end:!1,inject:[s.text]};let{slot:i,generation:u}=e.actor;return e.isMain&&
r.act(d=>d.endMain(b(),i,u)),s===void 0?{end:!0,output:n}:s.answer==="finish"?{end:!0,output:s.text}:{end:!0,output:"",reason:s.
text}}timedOut(e,n){if(!this.sub.has("on_timeout"))return;let r=this.agentOf(e),o=this.sub.ask("on_timeout",r,{reason:n}),
s=a(i=>{i!==void 0&&this.timeoutAnswered(r,{...i,reason:n})},"answered");o instanceof Promise?this.runtime.alone(o.then(
s)):s(o)}timeoutAnswered(e,n){if(e.rule("on_timeout",n),n.answer==="finish")return n.text;e.inject(n.text)}},st=Number.POSITIVE_INFINITY;
function Cr({answer:t,text:e,reason:n}){return t==="finish"?{go:!1,reason:n,report:e}:{go:!1,reason:n,message:e}}a(Cr,"r\
efusedTurn");function Rs(t){return v("a notice",()=>{let{origin:e,text:n,deliveryId:r}=se("a notice",t);return{channel:"system",senderId:"\
subagent",chatId:`${e.channel}:${e.chatId}`,content:n,deliveryId:r}})}a(Rs,"toBusMessage");function $r(t,e){return({inbox:n})=>{
for(let r of n.lease())a(async()=>{await t.publish(Rs(r)),n.ack(r.deliveryId)},"taken")().catch(e)}}a($r,"publisher");function Mr(t){
let e=typeof t=="object"&&t!==null?t.publish:void 0;if(typeof e!="function")throw h("`bus`","an object with a function `\
publish`",t);return{publish:a(n=>e.call(t,n),"publish")}}a(Mr,"busOf");function pn(t){return v("a task",()=>{let{label:e,taskId:n}=se("a task",t);return`Subagent [${I(e,Q)}] started (id: ${I(
n)}). I'll notify you when it completes.`})}a(pn,"startedText");function it(t){let{process:e,Deno:n,reportError:r,console:o}=globalThis;try{e===void 0&&n===void 0&&typeof r=="function"?
r(t):o?.error(t)}catch{}}a(it,"logError");function at(t,e){try{let n=t();Ts(n)&&new Promise(r=>r(n)).catch(e)}catch(n){e(
n)}}a(at,"notify");function Ts(t){return typeof t=="object"&&t!==null&&typeof t.then=="function"}a(Ts,"isThenable");function we(t){return typeof WeakRef>"u"?{deref:a(()=>t,"deref")}:new WeakRef(t)}a(we,"weakly");var ye=class{static{a(this,
"Collected")}registry;constructor(e){this.registry=typeof FinalizationRegistry>"u"?void 0:new FinalizationRegistry(e)}watch(e,n){
this.registry?.register(e,n,e)}unwatch(e){this.registry?.unregister(e)}};var hn=class{static{a(this,"Door")}manager;constructor(e){this.manager=e}get runtime(){return this.manager}shut(){this.manager=
void 0}},$e=[],Nr=[],ut,Z;function Dr(t,e,n){let r=Nr.pop()??$e.length;return $e[r]=we(e),ut??=new ye(({host:o,alarm:s})=>{
s.stop(),Fr(o)}),ut.watch(t,{host:r,alarm:n}),r}a(Dr,"attach");function dt(t){ut?.unwatch(t),t.door.shut(),Fr(t.host)}a(
dt,"release");function Fr(t){$e[t]!==void 0&&($e[t]=void 0,Nr.push(t))}a(Fr,"detach");function K(t){let e=Z;return Z=t,$n(
!0),e}a(K,"enter");function U(t){Z=t,t===void 0&&$n(!1)}a(U,"leave");function Lr(){return Z!==void 0}a(Lr,"isInside");function P(t){
return Z!==void 0&&Z.host===t?Z:$e[t]?.deref()?.runtime}a(P,"find");function bd(t,e,n,r){P(t)?.runs.startRun(e,n,r)}a(bd,
"startRun");function yd(t,e,n,r,o){P(t)?.runs.runRetried(e,n,r,o)}a(yd,"runRetried");function wd(t,e,n,r,o){P(t)?.runs.abortRun(
e,n,r,o)}a(wd,"abortRun");function kd(t,e,n,r){P(t)?.runs.turnReady(e,n,r)}a(kd,"turnReady");function Sd(t,e,n){let r=P(
t);r?.sessionData.taskForgotten(e,n),r?.contexts.taskForgotten(e,n),r?.signals.taskGone(e,n)}a(Sd,"taskForgotten");function Ad(t,e,n){
P(t)?.signals.taskGone(e,n)}a(Ad,"taskClosed");function xd(t,e,n){P(t)?.wakes.mark(e)}a(xd,"wakeSession");function Od(t,e,n,r,o){
P(t)?.runs.policiesDue(e,n,r,o)}a(Od,"policiesDue");function vd(t,e){P(t)?.startsStopped(e)}a(vd,"startsStopped");function Rd(t,e){
P(t)?.wakeAt(e)}a(Rd,"wakeAt");function Td(t,e,n,r,o,s,i){P(t)?.runs.askDone(e,n,r,o,s,i)}a(Td,"askDone");function jd(t,e,n,r){
P(t)?.waits.done(e,n,r)}a(jd,"waitDone");function Pd(t,e,n,r,o,s,i,u,d,c,f,l,m,p,k){let{runs:g}=P(t)??{};g?.runEnded(e,n,
r,o,s,i,u,d,c,f,l,m,p,k)}a(Pd,"runEnded");function Ed(t,e,n){P(t)?.listeners.facts(e,n)}a(Ed,"facts");function Id(t,e){let n=P(
t);return n===void 0||n.consumerGate(e)}a(Id,"consumerGate");function _d(t,e){return P(t)?.makeTool(e)}a(_d,"makeTool");
var Cd=0,Br=1,$d=2;var gn=class{static{a(this,"Listeners")}listeners=new Set;reader=void 0;runtime;scratch;constructor(e,n){this.runtime=e,
this.scratch=n}get listening(){return this.reader!==void 0}subscribe(e,n){this.runtime.check();let r=this.runtime.call(s=>s.
factCount());this.listeners.size===0&&(this.reader=n(this.runtime,this.scratch,r),this.runtime.call(s=>s.listen(!0)));let o={
listener:le(e),since:r};return this.listeners.add(o),()=>{this.listeners.delete(o),this.listeners.size===0&&!this.runtime.
isClosed&&(this.reader=void 0,this.runtime.journal===void 0&&this.runtime.call(s=>s.listen(!1)))}}facts(e,n){let{journal:r}=this.
runtime;if(r===void 0)this.hand(this.reader?.read(e,n));else{let o=r.take(this.scratch.copy(e,n));r.isSync||this.tell(o)}}tell(e){
this.hand(this.reader?.readKept(e))}hand(e=[]){for(let n of e)for(let{listener:r,since:o}of this.listeners)n.seq>o&&this.
runtime.tell(()=>r(n))}clear(){this.listeners.clear(),this.reader=void 0}};var Me={slot:0,generation:0,run:0},Kr=4294967296;function ee(t){return t>>>0}a(ee,"slotOf");function ct(t){return Math.floor(
t/Kr)}a(ct,"generationOf");function W(t){return{slot:ee(t),generation:ct(t)}}a(W,"keyOf");function Ne({slot:t,generation:e}){
return e*Kr+t}a(Ne,"packed");function Ur(t,e,n){let r={},{runtime:o,slot:s,generation:i}=t;if(o.call(u=>u.knowsTools(s,i))){let u=t.snapshot().tools??
[];Ps(n?.tools,u)||(r.tools=[...u])}if(n?.maxTurns!==void 0||n?.maxCost!==void 0){let u=o.call(d=>d.runLimits(s,i));n.maxTurns!==
void 0&&u!==void 0&&u.maxTurns<n.maxTurns&&(r.maxTurns=u.maxTurns),n.maxCost!==void 0&&u!==void 0&&u.costUsd<n.maxCost&&
(r.maxCost=u.costUsd)}return Object.keys(r).length===0?e:js(e,r)}a(Ur,"allowed");function js(t,e){let n=Object.getOwnPropertyDescriptors(
t);for(let[r,o]of Object.entries(e))n[r]={value:o,enumerable:!0,writable:!0,configurable:!0};return Object.create(Object.
getPrototypeOf(t),n)}a(js,"replaced");function Ps(t,e){return t?.length===e.length&&e.every((n,r)=>n===t[r])}a(Ps,"isSam\
e");var H=class t{static{a(this,"ActiveRun")}slot=0;generation=0;run=0;hostOpen=!1;settled=!1;abortedEarly=!1;text=void 0;#e=void 0;#n=void 0;hostTaskId=void 0;result=void 0;before=void 0;previousError=void 0;successor=void 0;returned=void 0;turn=void 0;unfollow=void 0;asking=void 0;agent=void 0;followers=void 0;named=void 0;starting=void 0;watch=void 0;#t=void 0;given;asked;isAllowed=!1;handed=void 0;controller=void 0;aborted=void 0;id=void 0;view=void 0;#r=void 0;runtime;constructor(e,n,r){
this.runtime=e,this.given=n,this.asked=r}get format(){return this.#n??=this.snapshot().format,this.#n}set format(e){this.#n=
e}get background(){return this.#e??=this.snapshot().background,this.#e}set background(e){this.#e=e}get check(){return this.#t??
this.runtime.sessionData.checkOf(this.slot,this.generation)}set check(e){this.#t=e}get taskId(){return this.id??=this.runtime.
lookup.taskId(this.slot,this.generation),this.id}get latest(){let e=this;for(;e.successor!==void 0;)e=e.successor;return e}again(e){
let n=new t(this.runtime,this.given);return n.slot=this.slot,n.generation=this.generation,n.run=this.run+1,n.text=this.text,
n.#e=this.#e,n.#n=this.#n,n.#t=this.#t,n.watch=this.watch,n.before=this.returned,n.previousError={reason:e,error:this.returned?.
error??null},[n.followers,this.followers]=[this.followers,void 0],[n.unfollow,this.unfollow]=[this.unfollow,void 0],this.
named?.resolve(),this.successor=n,n}follow(e){this.followers??=[],this.followers.push(e)}expectName(){let e=a(()=>{},"re\
solve"),n=new Promise(r=>{e=r});this.named={promise:n,resolve:e}}takeStart(){let{starting:e}=this;return e!==void 0&&(this.
starting=void 0),e}params(){if(this.given===void 0){let{tools:e,systemPrompt:n,maxTurns:r,background:o}=this.snapshot(),
s={instructions:this.prompt(),maxTurns:r,background:o,...e&&{tools:e},...n&&{systemPrompt:n}};this.given=this.runtime.journal?.
goesOn===!0?{...s,...this.keptParams()}:s}else this.isAllowed||(this.given=Ur(this,this.given,this.asked));return this.isAllowed=
!0,this.given}keptParams(){let{contextHint:e,nickname:n,modelId:r,sourceAgentId:o,rateLimitKey:s,metadata:i}=this.snapshot();
return Object.fromEntries(Object.entries({contextHint:e||null,nickname:n,modelId:r,agent:o,rateLimitKey:s,metadata:i}).filter(
([,d])=>d!==null))}handedRun(){return this.handed??=this.runtime.makeRun(this),this.handed}prompt(){return this.text??this.
runtime.call(e=>e.message(this.slot))}snapshot(){return this.view??=this.runtime.lookup.snapshot(this.slot,this.generation),
this.view}brief(){return this.#r??=this.runtime.lookup.brief(this.slot,this.generation),this.#r}get signal(){return this.
controller===void 0&&(this.controller=new AbortController,this.aborted!==void 0&&this.controller.abort(this.abortError(this.
aborted))),this.controller.signal}abort(e){this.aborted=e,this.controller?.abort(this.abortError(e))}abortError(e){return new y(
"aborted",`the sub-agent was told to stop: ${e}`,{reason:e})}};var lt=class{static{a(this,"Followed")}#e;#n=new Set;constructor(e){this.#e=e}#t=a(()=>{let e=[...this.#n];for(let n of e)
this.leave(n);for(let n of e)n.deref()?.fire()},"#fire");join(e){this.#n.add(e),this.#n.size===1&&this.#e.addEventListener(
"abort",this.#t,{once:!0})}leave(e){!this.#n.delete(e)||this.#n.size>0||(bn.get(this.#e)===this&&bn.delete(this.#e),this.#e.
removeEventListener("abort",this.#t))}},bn=new WeakMap,ft;function Es(t){t()}a(Es,"call");function Wr(t,e){let n=bn.get(
t);n===void 0&&(n=new lt(t),bn.set(t,n));let r=n;return r.join(e),()=>r.leave(e)}a(Wr,"join");function mt(t,e){let n={fire:e};
return Wr(t,{deref:a(()=>n,"deref")})}a(mt,"follow");var yn=class{static{a(this,"Signals")}#e=new Map;#n=new Map;follow(e,n){
let r={fire:n},o=Wr(e,we(r)),s=a(()=>{this.#e.delete(s),ft?.unwatch(r),o()},"end");return this.#e.set(s,r),ft??=new ye(Es),
ft.watch(r,o),s}keepIdle(e,n){let{runtime:r,slot:o,generation:s}=e,i=this.follow(n,()=>Gr(e));e.unfollow?.(),e.unfollow=
i,r.call(d=>d.tellForgotten()),this.#n.set(o,e);let u=r.call(d=>d.status(o,s));(u<0||X[u]==="closed")&&this.taskGone(o,s)}taskGone(e,n){
let r=this.#n.get(e);r?.generation===n&&(this.#n.delete(e),r.unfollow?.())}clear(){for(let e of[...this.#e.keys()])e();for(let e of this.#n.
values())e.unfollow?.();this.#n.clear()}};function Jr(t,e){let n=mt(e,()=>{t.slot===0?t.abortedEarly=!0:Gr(t)});t.unfollow=
()=>{t.unfollow=void 0,n()}}a(Jr,"followSignal");function Gr(t){let{runtime:e}=t;if(!e.isClosed)try{e.waits.cancel(Me,t.
slot,t.generation,"signal_aborted").catch(()=>{})}catch{}}a(Gr,"cancelLive");function Vr(t,e,n,r){t.check(),Hr(t,e,n);let o=Cs(n,r);if(t.seeded||Ns(t),t.functions.checkConsumerSpawn!==void 0){let g=pt(
t,o);if(g!==!0)throw new y("spawn_denied",g||"the host refused this spawn",{reason:g||null});t.check()}t.gates.beforeSpawn(
e,n,o),t.check(),Hr(t,e,n);let{staged:s,text:i}=n;i!==void 0&&!n.manual&&$s(t,n.background);let u=new H(t,o,n.asked);if(u.
background=n.background,u.text=i,u.format=s?.json===!0?"json":"text",u.check=n.schema,n.watch!==void 0&&(u.watch=n.watch),
n.signal!==void 0&&(Jr(u,n.signal),u.abortedEarly))throw qr(n.signal);if(s!==void 0&&!t.call(g=>g.stage(s)))throw u.unfollow?.(),
t.refusal();let d=i===void 0?0:t.write(i),c=s?.idempotencyKey===void 0?0:64,f=(n.background?1:0)|(i===void 0?2:0)|(s===void 0?
0:4)|(n.manual?8:0)|n.answers|c,l=K(t),m;try{m=t.core.begin(b(),e.slot,e.generation,e.run,f,d,n.tokens,n.cost,n.turns)}catch(g){
throw t.poison(g)}finally{U(l)}if(m===-1)throw u.unfollow?.(),t.refusal();let p=m<0?_s(t,u,n,W(-2-m)):Is(t,u,n,m),k=t.contexts.
enter(m<0?0:u.slot);return t.carryOut(),t.contexts.leave(k),t.expectSound(),t.hosts.keepAwake(),p}a(Vr,"spawn");function Is(t,e,{
text:n,manual:r,schema:o,signal:s},i){return e.slot=ee(i),e.generation=ct(i),o!==void 0&&t.sessionData.check(e.slot,e.generation,
o),t.contexts.keep(e.slot,e.generation),n===void 0?s!==void 0&&t.signals.keepIdle(e,s):r||(e.run=1,t.runs.keep(e)),e}a(Is,
"admitted");function _s(t,e,n,r){return e.unfollow?.(),n.repeated=!0,Ms(t,r)}a(_s,"repeated");function Hr(t,{slot:e,generation:n,
run:r},{signal:o,background:s}){if(o?.aborted===!0)throw qr(o);r!==0&&t.ask(i=>i.mayStart(e,n,r,s))}a(Hr,"expectNotStopp\
ed");function qr(t){return new y("aborted","the signal of this spawn has fired already, so nothing was started",{},{cause:t.
reason})}a(qr,"firedAlready");function Cs({renamed:t,text:e},n){return t?v("the options of spawn",()=>({...n,instructions:e})):
n}a(Cs,"paramsOf");function $s({functions:t},e){if(t.spawnSubAgent!==void 0||e&&t.spawnBackgroundSubAgent!==void 0)return;
let n="spawnSubAgent";throw new y("invalid_argument","the manager was made without `spawnSubAgent`, so nothing can run a\
 sub-agent",{argument:n})}a($s,"checkHost");function Ms(t,{slot:e,generation:n}){let r=t.runs.liveOf(e,n);if(r!==void 0)
return r;let o=new H(t,void 0);return o.slot=e,o.generation=n,o.run=t.call(s=>s.lastRun(e,n)),o}a(Ms,"lastRunOf");function pt(t,e){
let n=t.functions.checkConsumerSpawn;if(n===void 0)return!0;try{let r=n(e);if(typeof r!="object"||r===null)return`checkC\
onsumerSpawn must return { allowed }, it returned ${w(r)}`;let[o,s]=[C(r,"allowed"),C(r,"reason")];return o===!0?!0:o===
!1?typeof s=="string"&&s!==""?s:!1:typeof r.then=="function"?(r.then(void 0,()=>{}),"checkConsumerSpawn must answer at o\
nce, it returned a promise"):`checkConsumerSpawn must return { allowed: boolean }, allowed is ${w(o)}`}catch(r){return`c\
heckConsumerSpawn failed: ${x(r)}`}}a(pt,"consumerGate");function Ns(t){t.order(e=>e.seed(b())),t.seeded=!0}a(Ns,"seed");var Ds=0x7375626167656e74n,Fs=32n,Xr=a(t=>BigInt.asUintN(64,t),"low64"),Yr=a((t,e)=>Xr(t<<e|t>>64n-e),"rotated");function zr(t,e,n){
let r=Xr(Yr(t,56n)+e)^n;return[r,Yr(e,3n)^r]}a(zr,"mix");function Qr([t=0n,e=0n],n,r){let[o,s]=[t,e],[i,u]=[Ds,BigInt(r)<<
32n|BigInt(n)];for(let d=0n;d<Fs;d+=1n)[i,u]=zr(i,u,s),[o,s]=zr(o,s,d);return`sub_${[i,u].map(d=>d.toString(16).padStart(
16,"0")).join("")}`}a(Qr,"taskIdOf");var wn=class{static{a(this,"Lookup")}sessions=new Map;runtime;constructor(e){this.runtime=e}resolve(e,n){if(this.runtime.
check(),typeof n!="string")throw h("a target","an id or a handle",n);let r=this.runtime.write(Mn(n)?n.slice(0,160):""),{
slot:o,generation:s,run:i}=e,u=this.runtime.call(d=>d.find(o,s,i,r));if(u<0){let d=this.runtime.refusal();if(d.code==="a\
mbiguous_nickname")throw d;let c=new y(d.code,`${d.message}: ${w(n)}`,{...d.details,taskId:n});throw We(c,`${Je(d)}: ${w(
n)}`)}return W(u)}nameOf(e,{nickname:n,taskId:r}){if(n===null)return r;let o=this.runtime.write(n),s=this.runtime.call(d=>d.
find(e.slot,e.generation,e.run,o));if(s<0)return r;let{slot:i,generation:u}=W(s);return this.taskId(i,u)===r?n:r}taskId(e,n){
let{idKey:r}=this.runtime;return r===void 0?this.runtime.call(o=>o.taskId(e,n)):Qr(r,e,n)}snapshot(e,n){let r=this.runtime.
call(o=>o.get(e,n,b()));if(r===void 0)throw this.runtime.refusal();return kn(r)}about(e,n){let r=this.runtime.call(u=>u.
get(e,n,b()));if(r===void 0)return;let{label:o,parentId:s,metadata:i}=kn({...r,artifacts:null,value:null});return{label:o,
parentId:s,metadata:i}}brief(e,n){let r=this.runtime.call(f=>f.brief(e,n));if(r===void 0)throw this.runtime.refusal();let[
o,s,i="",u,d=Zn,c]=r;return{depth:o,label:s,contextHint:i,systemPrompt:u,profile:d,modelId:c}}openSession(e){this.runtime.
check();let n=this.runtime.write(e),r=this.runtime.journal?.goesOn===!0?this.runtime.call(i=>i.sessionNamed(n)):-1,o=r>=
0?r:this.runtime.call(i=>i.openSession(b(),n));if(o<0)throw this.runtime.refusal();this.runtime.carryOut();let s={...W(o),
run:0};return this.sessions.set(s.slot,s.generation),s}eventId(e,n){return this.sessions.get(e)===n?null:this.runtime.call(
r=>r.eventId(e,n))??null}};function kn(t){let{artifacts:e,value:n,metadata:r}=t;return{...t,artifacts:e===null?[]:JSON.parse(
e),value:n===null?null:JSON.parse(n),metadata:tr(r)}}a(kn,"parseArtifacts");var Zr=64,Sn=class{static{a(this,"RemoteRuns")}lives=new Map;named=new Map;early=new Map;ended=new Map;sweepAt=Zr;runtime;constructor(e){
this.runtime=e}start(e,n){this.sweep(),this.list(e);let r;try{r=n(e.params(),e.handedRun())}catch(s){throw this.unlist(e),
s}let o=new Promise(s=>s(r));if(!this.isListed(e)){o.catch(()=>{});return}this.runtime.act(s=>s.startedElsewhere(b(),e.slot,
e.generation,e.run)),e.expectName(),this.runtime.alone(o.then(s=>this.started(e,s),s=>this.end(e,Ze(x(s),s))))}started(e,n){
let r=Ls(n);if(typeof r!="string"||r===""){this.end(e,Te(`spawnBackgroundSubAgent must resolve to { taskId }, it resolve\
d to ${w(n)}`));return}if(e.hostTaskId=r,this.isListed(e)&&this.named.set(r,(this.named.get(r)??new Set).add(e)),e.named?.
resolve(),this.runtime.isClosed)return;let o=this.runtime.write(r);this.runtime.act(i=>i.nameElsewhere(b(),e.slot,e.generation,
e.run,o));let s=this.early.get(r);this.early.delete(r),s!==void 0?this.end(e,de(s)):this.refuseEarly()}refuseEarly(){if(this.
early.size===0||this.isUnnamed())return;let e=[...this.early.keys()];this.early.clear();for(let n of e)this.runtime.report(
this.unknown(n))}isUnnamed(){return[...this.lives.values()].some(({hostTaskId:e})=>e===void 0)}report(e,n){if(typeof e!=
"string"||e==="")throw h("the id","a task id or the host's own id",e);let r=this.livesOf(e);if(r.length>1)throw new y("i\
nvalid_argument",`several sub-agents go by the host id ${w(e)}: report by task id`,{id:e});let[o]=r;if(o!==void 0){this.
end(o,de(n));return}let s=this.endedBy(e);if(s!==void 0){let i=Object.assign(new H(this.runtime,void 0),s);this.runtime.
hosts.settle(i,de(n));return}if(!this.isUnnamed())throw this.unknown(e);this.early.set(e,n)}livesOf(e){let n=[...this.named.
get(e)??[]],r=this.lives.get(this.placeOf(e));return r===void 0||n.includes(r)?n:[...n,r]}endedBy(e){let n=this.ended.get(
e)??this.ended.get(this.placeOf(e));return n!==void 0&&this.isKept(n)?n:void 0}placeOf(e){let n=this.runtime.write(e.slice(
0,160)),r=this.runtime.call(i=>i.find(0,0,0,n));if(r<0)return r;let{slot:o,generation:s}=W(r);return this.runtime.lookup.
taskId(o,s)===e?r:-2}isKept({slot:e,generation:n}){return this.runtime.call(r=>r.lastRun(e,n))>0}unknown(e){if(this.placeOf(
e)===-1){let n=this.runtime.refusal();if(n.code==="forgotten")return n}return new y("unknown_task",`no background sub-ag\
ent goes by ${w(e)}`,{id:e})}list(e){let n=Ne(e),r=this.lives.get(n);r!==void 0&&this.unlist(r)&&this.keepEnded(r),this.
lives.set(n,e)}isListed(e){return this.lives.get(Ne(e))===e}unlist(e){if(!this.isListed(e))return!1;this.lives.delete(Ne(
e));let{hostTaskId:n}=e;if(n!==void 0){let r=this.named.get(n);r?.delete(e),r?.size===0&&this.named.delete(n)}return!0}keepEnded({
slot:e,generation:n,run:r,hostTaskId:o}){let s={slot:e,generation:n,run:r};this.ended.set(Ne(s),s),o!==void 0&&this.ended.
set(o,s)}clear(){this.lives.clear(),this.named.clear(),this.early.clear(),this.ended.clear()}sweep(){if(!(this.lives.size+
this.ended.size<this.sweepAt)){for(let e of this.lives.values())this.runtime.call(n=>n.hasRun(e.slot,e.generation,e.run))||
(this.unlist(e),this.keepEnded(e));for(let[e,n]of this.ended)this.isKept(n)||this.ended.delete(e);this.sweepAt=Math.max(
Zr,(this.lives.size+this.ended.size)*2)}}end(e,n){if(!this.unlist(e))return;this.keepEnded(e),this.refuseEarly();let{check:r}=e,
o={...n,hostTaskId:n.hostTaskId??e.hostTaskId};r===void 0?this.runtime.hosts.settle(e,o):this.runtime.hosts.settleChecked(
e,o,r)}};function Ls(t){try{return t?.taskId}catch{return}}a(Ls,"hostId");var An=class{static{a(this,"HostCalls")}elsewhere;openHosts=0;runtime;scratch;alarm;constructor(e,n,r){this.runtime=e,this.
scratch=n,this.alarm=r,this.elsewhere=new Sn(e)}start(e){try{let{spawnSubAgent:n,spawnBackgroundSubAgent:r}=this.runtime.
functions;if(r!==void 0&&e.background){this.elsewhere.start(e,r);return}if(n===void 0)throw new Error("no spawnSubAgent \
was given to the manager");e.hostOpen=!0,this.openHosts+=1,this.alarm.hold(!0);let o=n(e.params(),e.handedRun());(Bs(o)?
o:new Promise(i=>i(o))).then(i=>this.hostReturned(e,i),i=>this.hostThrew(e,i))}catch(n){this.hostThrew(e,n)}}settle(e,n){
if(e.settled||(this.runtime.runs.returned(e),this.hostIsOver(e),this.runtime.isClosed))return;e.returned=n;let r=K(this.
runtime);try{let{output:o,error:s,status:i,id:u,artifacts:d,value:c}=this.scratch.writeEnd(this.bounded(n));this.runtime.
core.settle(b(),e.slot,e.generation,e.run,n.how,o,s,i,u,d,c,n.tokens,n.cost,n.turns,n.durationMs)}catch(o){this.runtime.
poison(o)}finally{U(r)}this.runtime.carryOut(),this.keepAwake()}settleManual(e,n,r){this.runtime.check();let{output:o,error:s,
artifacts:i}=this.runtime.call(()=>this.scratch.writeEnd(r));if(!this.runtime.call(d=>d.settle(b(),e,n,0,r.how,o,s,4294967295,
4294967295,i,4294967295,r.tokens,r.cost,r.turns,r.durationMs)))throw this.runtime.refusal();this.runtime.runs.manualEnded(
e,r),this.runtime.carryOut(),this.runtime.expectSound()}bounded(e){let{output:n}=e;return n.length<=_?e:{...e,output:n.slice(
0,Math.max(_,D(this.runtime,"maxResultBytes")+1))}}hostReturned(e,n){let r=de(n),{check:o}=e;o===void 0||this.runtime.isClosed?
this.settle(e,r):this.settleChecked(e,r,o)}settleChecked(e,n,r){let o=Ht(n,r,D(this.runtime,"maxResultBytes"));o instanceof
Promise?this.runtime.alone(o.then(s=>this.settle(e,s))):this.settle(e,o)}hostThrew(e,n){Se(n);let r=x(n);this.settle(e,Ze(
r,n))}hostIsOver(e){e.settled=!0,this.release(e)}goOnWithout(e){e.hostOpen&&(this.release(e),this.keepAwake())}release(e){
e.hostOpen&&(e.hostOpen=!1,this.openHosts-=1)}keepAwake(){if(this.openHosts>0||this.runtime.isClosed)return;let e=this.runtime.
unasked(n=>n.hasQueued())===!0;this.runtime.isClosed||(this.runtime.keepAlive.hasQueued(e),this.alarm.hold(e||this.runtime.
waits.areOpen))}};function Bs(t){return t instanceof Promise&&t.constructor===Promise&&t.then===Promise.prototype.then}a(
Bs,"isPlainPromise");var xn=class{static{a(this,"KeepAlive")}count=0;queued=!1;alarm;manager;constructor(e,n){this.alarm=e,this.manager=n}begin(){
this.count+=1,this.count===1&&this.keep()}end(){this.count-=1,this.count===0&&this.keep()}hasQueued(e){this.queued!==e&&
(this.queued=e,this.keep())}clear(){this.count=0,this.queued=!1,this.keep()}keep(){this.alarm.keeps=this.count>0||this.queued?
this.manager:void 0}};var On=class{static{a(this,"Pins")}runtime;open=new Map;places=new WeakMap;constructor(e){this.runtime=e}pinAll(e){let n=D(
this.runtime,"retain")<e.length;return e.map(({slot:r,generation:o})=>this.pin(r,o,n))}pin(e,n,r){let o=this.runtime.call(
u=>u.lastRun(e,n)),s={slot:e,generation:n,run:o,taskId:this.runtime.lookup.taskId(e,n)};if(!this.runtime.call(u=>u.isOpen(
e,n,o)))return s.ended=this.read(s),s;r&&(s.begun=this.read(s));let i=this.open.get(e);return i===void 0?this.open.set(e,
[s]):i.push(s),s}hold(e){return this.open.has(e)}ended(e,n,r,o){let s=this.open.get(e);if(s!==void 0)for(let i of s)i.run===
r&&i.generation===n&&(i.ended=this.asEnded(i,o))}retried(e,n,r){for(let o of this.open.get(e)??[])o.run===r&&o.generation===
n&&(o.run+=1)}asEnded(e,n){let r=this.read(e);if(r?.run===e.run)return r;let o=e.begun??r;return o&&this.kept(e,{...o,...Us(
e,n)})}unpin(e){for(let n of e){let r=this.open.get(n.slot)?.filter(o=>o!==n);r!==void 0&&(r.length===0?this.open.delete(
n.slot):this.open.set(n.slot,r))}}told(e,n,r){let o=this.read(e);if(n===Br)return{told:n,view:r||o?.run===e.run?o??e.ended:
e.ended??o};let s=typeof n=="string"?n:null,i=o!==void 0&&(o.status==="running"||o.status==="pending")&&(r||o.run===e.run);
return o===void 0||i&&(s===null||o.question===s)?{told:n,view:o}:{told:n,view:this.kept(e,{...o,...Ks,run:e.run,question:s})}}read(e){
let{slot:n,generation:r}=e,o=this.runtime.call(s=>s.get(n,r,b()));return o&&this.kept(e,kn(o))}kept(e,n){return this.places.
set(n,e),n}placeOf(e){return this.places.get(e)}},Ks={status:"running",stopReason:null,output:"",error:null,endedAt:null,
durationMs:null,partial:!1,truncated:!1,artifacts:[]};function Us({run:t,begun:e},n){let{status:r,stopReason:o,output:s,
partial:i,truncated:u,hostStillRunning:d,durationMs:c,usage:f}=n,{error:l=null,hostStatus:m=null,hostTaskId:p=null,artifacts:k,
value:g=null}=n,S={status:r,stopReason:o,output:s,partial:i,truncated:u,hostStillRunning:d,durationMs:c,usage:f,error:l,
hostStatus:m,hostTaskId:p},O=Math.floor(b()),A=n.started?e?.startedAt??O-c:null;return{run:t,...S,startedAt:A,endedAt:O,
updatedAt:O,parked:null,question:null,turns:f.turns,artifacts:[...k],value:g}}a(Us,"endOf");function eo(t,{slot:e,generation:n},r,o){let{status:s,stopReason:i,output:u,error:d,hostStatus:c,figures:f}=o,l=t.writeAll(
[u,d??void 0,c??void 0]),[m,p,k]=l;return t.call(g=>g.resultText(e,n,r,X.indexOf(s),R.indexOf(i),f.turns??-1,f.costUsd??
-1,f.durationMs??-1,m,p,k))}a(eo,"endText");var Ws=Object.freeze([]),Js=Object.freeze([]);function no(t){if((t&7)===0)return Ws;let e=[];return(t&1)!==0&&e.push("to\
kens"),(t&2)!==0&&e.push("costUsd"),(t&4)!==0&&e.push("turns"),e}a(no,"dimensions");var ne=class t{static{a(this,"RunRes\
ult")}run;status;stopReason;output;partial;truncated;error;cause;hostStatus;hostTaskId;hostStillRunning;artifacts;value;usage;durationMs;started;raisedBy;#e;#n;constructor(e,n,r,o,s,i,u,d,c,f,l,m,p,k,g){
this.#e=e,this.#n=typeof e=="string"?void 0:e,this.run=typeof e=="string"?0:e.run,this.status=n,this.stopReason=r,this.output=
o,this.partial=l,this.truncated=m,this.error=s?.error,this.cause=s?.cause,this.hostStatus=s?.hostStatus,this.hostTaskId=
s?.hostTaskId??this.#n?.hostTaskId,this.hostStillRunning=p,this.artifacts=s?.artifacts??Js,this.value=s?.valueJson===void 0?
void 0:s.value,this.usage={tokens:i,costUsd:u/1e9,turns:d,unknown:no(c),invalid:no(c>>>8)},this.durationMs=f,this.started=
k,this.raisedBy=g}get taskId(){return typeof this.#e!="string"&&(this.#e=this.#e.taskId),this.#e}get success(){return this.
status==="completed"}get backgrounded(){return this.status==="running"||this.status==="pending"}get report(){let e=this.#r;
return vr(this,e.run===this.run?e.agent:void 0,e.runtime,e)}get text(){let e=this.#r;return e.format==="json"?he(this.report):
eo(e.runtime,e,this.run,this.#t)}get#t(){let{status:e,stopReason:n,output:r,error:o,hostStatus:s}=this;return{status:e,stopReason:n,
output:r,error:o,hostStatus:s,figures:this.figures}}get figures(){return fn(this.usage,this.started,this.durationMs)}get#r(){
return this.#n}toJSON(){let{cause:e,...n}=this;return{taskId:this.taskId,success:this.success,...n}}static movedToBackground(e){
let{runtime:n,slot:r,generation:o}=e;if(!n.call(i=>i.isOpen(r,o,e.run)))return;let s=n.lookup.snapshot(r,o);return s.background&&
!s.cancelRequested?t.of({...s,output:pn(s)},e):void 0}static of(e,n){let r={error:e.error??void 0,hostStatus:e.hostStatus??
void 0,hostTaskId:e.hostTaskId??void 0,artifacts:e.artifacts,value:e.value,valueJson:e.value===null?void 0:""},{runtime:o,
slot:s,generation:i}=n,u=o.call(f=>f.lastEnd(s)),d=o.call(f=>f.raisedBy(s,i))??null,c=new t(e.taskId,X[u%256],R[u>>>8],e.
output,r,e.usage.tokens,e.usage.costUsd*1e9,e.usage.turns,0,e.durationMs??0,e.partial,e.truncated,e.hostStillRunning,e.startedAt!==
null,d);return c.#n=n,Object.assign(c,{run:e.run,usage:e.usage})}};var Gs=["timeout","stopped"];function to(t,e,n){let{asking:r}=t;t.asking=void 0,r!==void 0&&r.resolve(e===0?{answered:!0,
answer:n}:{answered:!1,reason:Gs[e-1]??"stopped"})}a(to,"askDone");function ht(t,e,n){let r=t.call(i=>i.question(e,n)),o=t.
lookup.taskId(e,n),s=`the sub-agent ${o} asks and waits for a message`;return new y("needs_input",r===void 0?s:`${s}: '${I(
r,Be)}'`,{taskId:o,question:r??null})}a(ht,"needsInput");var Hs=1,bt=2,Vs=4,ro=8,qs=16;function gt(t,e,n){return`${t} ${e} ${n}`}a(gt,"nameOf");var vn=class{static{a(this,"Runs")}lives=[];endedOpen=new Map;manualEnds=new Map;runtime;constructor(e){
this.runtime=e}keep(e){this.lives[e.slot]===void 0&&this.runtime.keepAlive.begin(),this.lives[e.slot]=e}startRun(e,n,r){
if(this.runtime.isClosed)return;let o=this.find(e,n,r)??this.newLive(e,n,r);if(this.lives[e]!==o&&!this.runtime.call(s=>s.
isOpen(e,n,r))){this.runtime.hosts.settle(o,fe());return}this.keep(o),o.text??=this.runtime.call(s=>s.message(e)),this.runtime.
contexts.run(e,n,()=>this.start(o))}newLive(e,n,r){let o=new H(this.runtime,void 0);return o.slot=e,o.generation=n,o.run=
r,o}start(e){let{gates:n,hosts:r}=this.runtime;n.sub.has("before_start")?n.start(e,()=>r.start(e)):r.start(e)}find(e,n,r){
let o=this.lives[e];return o?.run===r&&o.generation===n?o:void 0}findOpen(e,n,r){return this.find(e,n,r)??this.endedOpen.
get(gt(e,n,r))}runEnded(e,n,r,o,s,i,u,d,c,f,l,m,p,k){let{pins:g,scratch:S}=this.runtime,O=k===0?null:S.read(p,k),A=this.
find(e,n,r);if(A?.hostOpen!==!0&&this.runtime.hosts.keepAwake(),A===void 0){if(!g.hold(e))return;let Le=this.manualEnds.
get(e);this.manualEnds.delete(e);let ko=(i&ro)!==0?S.read(l,m):Le?.output??"";g.ended(e,n,r,oo("",o,s,i,ko,Le,u,d,c,f,O));
return}this.lives[e]=void 0,this.runtime.keepAlive.end(),(i&bt)!==0&&(this.endedOpen.set(gt(e,n,r),A),this.runtime.hosts.
goOnWithout(A)),A.unfollow?.(),A.agent?.stop(),!A.settled&&!A.hostOpen&&A.abort(R[s]??"never_reported");let V=(i&bt)===0?
A.returned??Ys(A.before):void 0,En=(i&ro)!==0?S.read(l,m):V?.output??"";R[s]==="policy"&&(V={...V??fe(),...this.madeByPolicy(
A)}),A.result=oo(A,o,s,i,En,V,u,d,c,f,O),g.ended(e,n,r,A.result);for(let{resolve:Le}of A.followers??[])Le(A.result);A.named?.
resolve();let Fe=A.turn;Fe!==void 0&&(A.turn=void 0,Fe.resolve({go:!1,reason:R[s]??"host_failed"}))}manualEnded(e,n){this.
runtime.pins.hold(e)&&this.manualEnds.set(e,n)}runRetried(e,n,r,o){let{pins:s,sessionData:i,hosts:u}=this.runtime;i.empty(
e,n),s.retried(e,n,r),u.keepAwake();let d=this.find(e,n,r);if(d===void 0)return;d.agent?.stop();let c=R[o]??"host_failed";
d.turn?.resolve({go:!1,reason:c}),d.turn=void 0,this.lives[e]=d.again(c)}madeByPolicy({slot:e,generation:n,agent:r}){if(this.
runtime.call(i=>i.status(e,n))<0){let i=r?.blockedBecause;return{error:i&&Wt(i,D(this.runtime,"maxResultBytes")),artifacts:void 0}}
let{error:o,artifacts:s}=this.runtime.lookup.snapshot(e,n);return{error:o??void 0,artifacts:s}}abortRun(e,n,r,o){let s=this.
findOpen(e,n,r);s!==void 0&&(s.agent?.stop(),this.runtime.contexts.run(e,n,()=>s.abort(R[o]??"cancelled")))}policiesDue(e,n,r,o){
let s=this.findOpen(e,n,r);if(s===void 0)return;let i=R[o];i==="timeout"||i==="idle_timeout"?this.runtime.contexts.run(e,
n,()=>this.runtime.gates.timedOut(s,i)):s.agent?.overdue()}askDone(e,n,r,o,s,i){let u=this.find(e,n,r);u!==void 0&&to(u,
o,this.runtime.scratch.read(s,i))}turnReady(e,n,r){let o=this.find(e,n,r);if(o===void 0)return;let s=o.takeStart();if(s!==
void 0){this.runtime.contexts.run(e,n,s);return}let{turn:i}=o;if(i===void 0)return;let u=this.beginTurn(o,i.estimate);u!==
void 0&&(o.turn=void 0,i.resolve(u))}liveOf(e,n){let r=this.lives[e];if(r!==void 0&&r.generation===n)return r;let o=this.
runtime.call(i=>i.lastRun(e,n));if(o===0||!this.runtime.call(i=>i.isOpen(e,n,o)))return;let s=this.newLive(e,n,o);return this.
keep(s),s}takeTurn(e,n){let r=this.beginTurn(e,n),o=r===void 0?new Promise((s,i)=>{e.turn={estimate:n,resolve:s,reject:i}}):
this.runtime.answer(r);return this.runtime.carryOut(),o}beginTurn(e,n){let r=this.runtime.call(c=>c.beginTurn(b(),e.slot,
e.generation,e.run,n));if(r===0)return;if(r===-1)return{go:!1,reason:"actor_ended"};if(r<0)return{go:!1,reason:R[-2-r]??
"cancelled"};let{turn:o,injects:s,wrapUp:i}=cn(r),u=s?{inject:this.runtime.call(c=>c.takeInject())}:void 0;if(i===void 0)
return{go:!0,turn:o,...u};let d=this.runtime.call(c=>c.heldTokens(e.slot));return{go:!0,turn:o,wrapUp:!0,reason:i,tokens:d,
...u}}returned({slot:e,generation:n,run:r}){this.endedOpen.size>0&&this.endedOpen.delete(gt(e,n,r))}batchOver(){this.endedOpen.
clear()}close(e){for(let n of this.lives)if(n!==void 0){n.turn?.reject(e),n.turn=void 0,n.asking?.reject(e),n.asking=void 0;
for(let{reject:r}of n.followers??[])r(e);n.named?.resolve(),n.unfollow?.(),n.agent?.stop(),n.abort(e.code==="disposed"?"\
cancelled":"host_lost")}this.lives.length=0,this.manualEnds.clear()}};function Ys(t){return t&&{...fe(),error:t.error,cause:t.
cause}}a(Ys,"errorOf");function oo(t,e,n,r,o,s,i,u,d,c,f){return new ne(t,X[e]??"failed",R[n]??"host_failed",o,s,i,u,d,r>>>
8,c,(r&Hs)!==0,(r&Vs)!==0,(r&bt)!==0,(r&qs)===0,f)}a(oo,"resultOf");var Rn=class{static{a(this,"SessionData")}kept=new Map;runtime;constructor(e){this.runtime=e}of(e,n){return this.keptOf(
e,n).values}empty(e,n){let r=this.kept.get(e);r?.generation===n&&r.values.clear()}check(e,n,r){this.keptOf(e,n).check=r}checkOf(e,n){
let r=this.kept.get(e);return r?.generation===n?r.check:void 0}keptOf(e,n){let r=this.kept.get(e);if(r?.generation===n)return r;
if(this.runtime.call(s=>s.status(e,n))<0)throw new y("forgotten","this sub-agent has been forgotten");this.runtime.call(
s=>s.tellForgotten());let o={generation:n,values:new Map};return this.kept.set(e,o),o}taskForgotten(e,n){this.kept.get(e)?.
generation===n&&this.kept.delete(e)}clear(){this.kept.clear()}};function so(t){let e=t.call(r=>r.claimed()),n=[];for(let r=0;r<e.length;r+=3){let[o,s,i]=e.subarray(r,r+3),u=t.call(d=>d.
deliveryId(o,s,i));n.push({deliveryId:u,taskId:t.lookup.taskId(o,s),run:i})}return n}a(so,"claimedEnds");var io=-2,zs=-3,ao=-4,Xs="only the waiting was aborted: what was to be stopped is being stopped all the same",Tn=class{static{
a(this,"Waits")}open=[];crowded=new Map;count=0;untilClosed=new Set;runtime;constructor(e){this.runtime=e}get areOpen(){
return this.count>0||this.untilClosed.size>0}waitFor(e,n,r,o){this.runtime.check();let{slot:s,generation:i}=n,u=this.runtime.
runs.liveOf(s,i),c=r===Number.POSITIVE_INFINITY&&e.run===0&&!this.runtime.listeners.listening?0:b(),f=K(this.runtime),l;
try{l=this.runtime.core.wait(c,e.slot,e.generation,e.run,s,i,r)}catch(p){throw this.runtime.poison(p)}finally{U(f)}if(l===
-1)throw this.runtime.refusal();let m=l<0?this.answered(l,n):this.waiting(l,u,e,o);return this.runtime.carryOut(),m}answered(e,n){
return e===ao?this.runtime.answer(void 0):e===zs?Promise.reject(ht(this.runtime,n.slot,n.generation)):this.runtime.answer(
this.pastResult(n))}waiting(e,n,r,o){return new Promise((s,i)=>{this.keep({wait:e,live:n,actor:r,resolve:s,reject:i},o),
this.runtime.hosts.keepAwake()})}pastResult({slot:e,generation:n,latest:r}){let o=this.runtime.call(s=>s.lastRun(e,n));return r.
result!==void 0&&(o===0||r.run===o)?r.result:ne.of(this.runtime.lookup.snapshot(e,n),r)}waitMany(e,n,{all:r,idle:o,timeoutMs:s},i,u){
let d=new Uint32Array(n.flatMap(m=>[m.slot,m.generation])),c=(r?1:0)+(o?2:0),f=this.runtime.call(m=>m.waitMany(b(),e.slot,
e.generation,e.run,d,c,s));if(f===-1)throw this.runtime.refusal();if(f>=0)return this.opened(f,u,void 0,i);let l=i(f===ao,
this.runtime.call(m=>m.told())??[]);return this.runtime.carryOut(),this.runtime.answer(l)}cancel(e,n,r,o,s=Number.NaN,i){
return this.settled(u=>u.cancel(b(),e.slot,e.generation,e.run,n,r,R.indexOf(o),s),i)}settled(e,n){let r=this.runtime.call(
e);if(r===-1)throw this.runtime.refusal();let o={acked:so(this.runtime)},s=this.opened(r,n,Xs);return r===io?this.runtime.
answer(o):s.then(()=>o)}opened(e,n,r,o){let s=e===io?this.runtime.answer(void 0):new Promise((i,u)=>{this.keep({wait:e,live:void 0,
read:o,resolve:i,reject:u},n,r),this.runtime.hosts.keepAwake()});return this.runtime.carryOut(),s}drain(e){this.runtime.
act(r=>r.startDrain(b(),e));let n=this.runtime.call(r=>r.drain(b(),e));return this.runtime.keepAlive.begin(),new Promise(
(r,o)=>{this.untilClosed.add(o),this.runtime.hosts.keepAwake(),n.then(s=>{this.untilClosed.delete(o)&&this.runtime.keepAlive.
end(),this.runtime.hosts.keepAwake(),r(s)},s=>o(this.runtime.poison(s)))})}keep(e,n,r="the wait was aborted; that touche\
s no sub-agent"){let{wait:o}=e,s=ee(o);this.open[s]===void 0?this.open[s]=e:this.crowded.set(o,e),this.runtime.keepAlive.
begin(),this.count+=1,n!==void 0&&this.follow(e,n,r)}take(e){let n=ee(e),r=this.open[n];if(r?.wait===e)return this.open[n]=
void 0,r;if(this.crowded.size===0)return;let o=this.crowded.get(e);return this.crowded.delete(e),o}done(e,n,r){let o=this.
take(e);if(o===void 0)return;this.runtime.keepAlive.end(),this.count-=1,this.runtime.hosts.keepAwake();let{resolve:s,unfollow:i}=o,
u=o.live?.latest;i?.();try{u===void 0?s(o.read===void 0?n:o.read(n,r??[])):u.result===void 0&&!n?this.endWithout(o,u):s(
n?void 0:u.result)}catch(d){o.reject(d)}}endWithout({actor:e,resolve:n,reject:r},o){let{slot:s,generation:i}=o,{runtime:u}=this;
if(u.call(c=>c.question(s,i))!==void 0){r(ht(u,s,i));return}let d=ne.movedToBackground(o);d!==void 0?n(d):e!==void 0&&this.
waitFor(e,o,Number.POSITIVE_INFINITY).then(n,r)}rejectAll(e){for(let n of[...this.open,...this.crowded.values()])n!==void 0&&
(n.unfollow?.(),n.reject(e));this.open.length=0,this.crowded.clear(),this.count=0;for(let n of this.untilClosed)n(e);this.
untilClosed.clear()}follow(e,n,r){let{wait:o}=e,s=ee(o),i=a(()=>{this.open[s]!==e&&this.crowded.get(o)!==e||(delete e.actor,
e.reject(new y("aborted",r,{},{cause:n.reason})),this.runtime.unasked(u=>u.endWait(b(),s,o)),this.runtime.carryOut())},"\
fire");if(n.aborted){i();return}e.unfollow=mt(n,i)}};var jn=class{static{a(this,"Wakes")}#e;#n=new Map;#t=new Set;#r=new Set;constructor(e){this.#e=e}register(e,n,r){r===void 0?
this.#n.delete(e):this.#n.set(e,{scope:n,onWake:le(r)})}mark(e){this.#n.has(e)&&(this.#t.size===0&&queueMicrotask(()=>this.#o()),
this.#t.add(e),!this.#r.has(e)&&(this.#r.add(e),this.#e.keepAlive.begin()))}review(){for(let e of this.#r)this.#n.has(e)&&
this.#e.unasked(n=>n.noticesWait(e))===!0||this.#r.delete(e)&&this.#e.keepAlive.end()}clear(){this.#n.clear(),this.#r.clear()}#o(){
let e=this.#t;this.#t=new Set;for(let n of e){let r=this.#n.get(n),o=this.#e.unasked(s=>s.pendingNotices(n));r===void 0||
o===void 0||o===0||(this.#e.tell(()=>r.onWake(r.scope,{pending:o})),this.#e.unasked(s=>s.woken(b(),n)),this.#e.carryOut())}
this.review()}};function uo(t){return t===void 0?"Send it a message to answer.":`${t} answers it.`}a(uo,"howToAnswer");function co(t){return(typeof t=="string"?t.trim()===""?void 0:JSON.parse(t):t)??{}}a(co,"parsed");function fo(t){let e=ti({...t.schema},s=>t.check(s)),{name:n,label:r,description:o}=t;return{name:n,label:r,description:o,
parameters:e,inputSchema:e,execute(...s){return s.length>1&&Qs(s[0])?Zs(t,s):ei(t,s)}}}a(fo,"toolObject");function Qs(t){
return typeof t=="string"&&!/^\s*[{["]/.test(t)}a(Qs,"isCallId");async function Zs(t,e){let[n,r,o,s]=e,i=typeof s!="func\
tion"?void 0:c=>{let f=c(),l={content:[{type:"text",text:f.text}],details:t.detailsOf(f)};return s(l)},{text:u,details:d}=await t.
call(r,{signal:lo(o),toolCallId:n,progress:i});return{content:[{type:"text",text:u}],details:d}}a(Zs,"calledByPi");function ei(t,e){
let n=new yt,r=(async()=>{let[o,s]=e,{signal:i,abortSignal:u,toolCallId:d,onUpdate:c,writer:f,outputWriter:l}=v("the opt\
ions of the call",()=>{let g=a(V=>C(Object(s),V),"given"),[S,O,A]=[g("signal"),g("abortSignal"),g("toolCallId")];return{
signal:S,abortSignal:O,toolCallId:A,onUpdate:g("onUpdate"),writer:g("writer"),outputWriter:g("outputWriter")}}),m=typeof c==
"function"?c:ni(f,l,d),p=a(g=>(n.push(g),m?.(g())),"progress"),k={signal:lo(i??u),toolCallId:typeof d=="string"?d:void 0,
progress:p};return(await t.call(o,k)).text})();return Object.defineProperty(r,Symbol.asyncIterator,{value:a(()=>n.until(
r),"value")})}a(ei,"called");function lo(t){return Ve("`signal`",t??void 0)}a(lo,"signalFrom");function ni(t,e,n){if(typeof t==
"function")return r=>t({type:"subagent-progress",toolCallId:n,...r});if(typeof e=="function")return r=>{Promise.resolve(
e({type:"data-subagent-progress",data:{toolCallId:n,...r}})).catch(()=>{})}}a(ni,"sinkOf");var yt=class{static{a(this,"U\
pdates")}newest=void 0;count=0;waiting=[];push(e){this.newest=e,this.count+=1,this.wake()}wake(){for(let e of this.waiting.
splice(0))e()}async*until(e){let n=!1,r=0,o=a(()=>{n=!0,this.wake()},"end");for(e.then(o,o);;)if(this.newest!==void 0&&this.
count>r)r=this.count,yield this.newest().text;else{if(n)break;await new Promise(s=>{this.waiting.push(s)})}yield await e}};
function ti(t,e){let n=a(()=>structuredClone(t),"plain");return Object.defineProperty(t,"~standard",{enumerable:!1,value:{
version:1,vendor:"subagents",validate(r){let o=e(r);return"params"in o?{value:co(r)}:{issues:o.mistakes.map(s=>({message:s}))}},
jsonSchema:{input:n,output:n}}})}a(ti,"withStandard");function mo(t){let e=0,n="";return(r,o)=>{e=o.turn??e,n=o.message??n;let s={turn:e,message:n};r.runtime.tell(()=>{let{taskId:i}=r,
{label:u}=r.brief();return t(()=>ri({taskId:i,label:u,...s}))})}}a(mo,"watcher");function ri(t){let{label:e,turn:n,message:r}=t,
o=n===0?"has started":`is at turn ${n}`,s=`[${I(e,Q)}] ${o}${r===""?"":`: ${I(r,Be)}`}`;return{...t,text:s}}a(ri,"progre\
ssOf");function De(t,e,n,r){if(n===void 0)return r.text;try{let o=n(r);if(typeof o=="string"&&o!=="")return o;t.report(h(`what \
\`texts.${e}\` returns`,"a text that is not empty",o))}catch(o){t.report(o)}return r.text}a(De,"said");function po(t,e=[]){try{return oi(typeof t=="string"?JSON.parse(t):t,e)}catch(n){return{mistakes:[`the arguments can't b\
e read: ${I(x(n),Ke)}`]}}}a(po,"checkArguments");function oi(t,e){if(typeof t!="object"||t===null||Array.isArray(t))return{
mistakes:[`the arguments must be an object with \`instructions\`, got ${w(t)}`]};let n=[],r=a(p=>C(t,p),"given"),[o,s]=[
r("instructions"),r("systemPrompt")],[i,u,d]=[r("maxTurns"),r("maxCost"),r("background")],c=e.length>0?r("agent"):void 0,
f=si(r("tools")),l=a((p,k,g)=>{n.push(`\`${p}\` must be ${k}, got ${w(g)}`)},"wrong");if((typeof o!="string"||o.trim()===
"")&&l("instructions","a text that says the whole task",o),!te(f)&&!(Array.isArray(f)&&f.every(p=>typeof p=="string"))&&
l("tools","a list of tool names",f),!te(s)&&typeof s!="string"&&l("systemPrompt","a text",s),!te(i)&&!(Number.isInteger(
i)&&i>=1)&&l("maxTurns","a whole number of at least 1",i),!te(u)&&!(typeof u=="number"&&u>0&&u<Number.POSITIVE_INFINITY)&&
l("maxCost","a number of US dollars above 0",u),!te(d)&&typeof d!="boolean"&&l("background","true or false",d),!te(c)&&!(typeof c==
"string"&&e.includes(c))&&l("agent",`one of ${e.join(", ")}`,c),n.length>0)return{mistakes:n};let m=Object.entries({instructions:o,
tools:f,systemPrompt:s,maxTurns:i,maxCost:u,background:d,agent:c}).filter(([,p])=>!te(p));return{params:t,checked:Object.
fromEntries(m)}}a(oi,"check");function si(t){return Array.isArray(t)?Ft("`tools`",t):t}a(si,"listOf");function te(t){return t==
null}a(te,"absent");function wt(t,{taskId:e,hostTaskId:n}){if(n===null)return e;let r=t.write(e),o=t.call(u=>u.find(0,0,0,r));if(o<0)return e;
let{slot:s,generation:i}=W(o);return t.call(u=>u.toldId(s,i))}a(wt,"idTold");function bo(t,e){return ii(t,Me,{},e)}a(bo,"makeTool");function ii(t,e,n,r,o=!1){let{names:s,descriptions:i}=t.agents,u=ai(
r.parameters,s),d=s.length===0?r.description:`${r.description}

What \`agent\` may name:
${i}`,c=a(f=>po(f,s),"check");return ui(new kt(t,e,n,{},o),{name:r.name,description:d,schema:u,check:c})}a(ii,"assemble");
function ai(t,e){if(e.length===0)return{...t};let n={type:"string",enum:e,description:"The kind of sub-agent to use. Lea\
ve it out for a general one."};return{...t,properties:{...t.properties,agent:n}}}a(ai,"withAgents");function ui(t,e,n){let{
name:r,description:o,schema:s,check:i}=e;return fo({name:r,label:"Sub-agent",description:o,schema:s,check:a(u=>i(u),"che\
ck"),async call(u,d){let c=i(u);return await n?.(c,d)??t.run(c,d)},detailsOf:a(({taskId:u,turn:d})=>({taskId:u,background:!1,
status:"running",durationMs:null,turns:d,cost:null}),"detailsOf")})}a(ui,"spawnTool");var kt=class{static{a(this,"SpawnC\
all")}runtime;actor;options;others;isAlone;constructor(e,n,r,o={},s=!1){this.isAlone=s,this.runtime=e,this.actor=n,this.
options=Object.assign(Object.create(null),r),this.others=o}async run(e,n){this.runtime.check();let r=await this.answer(e,
n),{onDetails:o}=this.options;return o!==void 0&&this.runtime.tell(()=>o(r.details,n.toolCallId)),r}async answer(e,n){let{
signal:r,toolCallId:o,progress:s}=n;if("mistakes"in e)return this.refused(`${e.mistakes.join("; ")}. Correct the argumen\
ts and call again.`);let i=this.hostLimit();if(i!==void 0)return this.refused(i.why,void 0,i.full);if(r?.aborted===!0)return this.
refused("the call was aborted before it began.");let{params:u,checked:d}=e,c,f,{backgroundTimeoutMs:l}=this.options,[m,p,
k]=[this.keyOf(o,u),this.originOf(),this.metadataOf(o,u)];try{let S=G("what `idempotencyKey` returns",m),O={...d,...S!==
void 0&&{idempotencyKey:S},...p!==void 0&&{origin:p},...k!==void 0&&{metadata:k}};f=Ie(O,this.runtime,!0),f.background&&
l!==void 0&&(f=Ie({...O,timeoutMs:l},this.runtime,!0)),f.signal=r,f.answers=this.answers,this.options.format==="json"&&(an(
f).json=!0),s!==void 0&&!f.background&&(f.watch=mo(s)),c=Vr(this.runtime,this.actor,f,u)}catch(S){if(ke(S))return typeof S.
details.report=="string"?this.reported(S.details.report):this.refused(`${ci(Je(S))}${pi(S.code)}`,S);throw S}let g=f.staged?.
modelId??this.modelOf(c);try{return f.repeated===!0?await this.repeated(c,f.background,r):f.background?(await(c.named&&xt(
c.named.promise,D(this.runtime,"graceMs"))),this.runtime.check(),di(r)||this.isAlone&&c.result?.success===!1?await this.
outcome(c,g):this.movedOn(c,g)):await this.outcome(c,g)}catch(S){if(ke(S)&&c.result!==void 0)return this.ended(c,c.result,
g);throw S}}async outcome(e,n){try{let r=await this.runtime.waits.waitFor(this.actor,e,Number.POSITIVE_INFINITY);return r.
backgrounded?this.movedOn(e,n):this.ended(e,r,n)}catch(r){if(ke(r)&&r.code==="needs_input")return this.asks(e,n);throw r}}keyOf(e,n){
let{idempotencyKey:r}=this.options;return r===void 0?void 0:r(e,n)}metadataOf(e,n){let{metadata:r}=this.options;return typeof r==
"function"?r(e,n):r}originOf(){let{origin:e}=this.options;return typeof e=="function"?e():e}async repeated(e,n,r){let o=this.
runtime.lookup.snapshot(e.slot,e.generation),s=o.modelId??void 0;if(n){let{taskId:i,status:u,label:d}=o,c={...go(o),taskId:i,
background:!0,status:u,durationMs:null,turns:null,cost:null},f=`Subagent [${I(d,Q)}] was started before (id: ${wt(this.runtime,
o)}); it is ${u}.`;return{text:this.told(f,i,u),details:this.withModel(c,s)}}try{let i=await this.runtime.waits.waitFor(
this.actor,e,Number.POSITIVE_INFINITY,r);return i.backgrounded?this.started(e,s):this.ended(e,i,s)}catch(i){if(ke(i)&&i.
code==="needs_input")return this.asks(e,s);if(!(ke(i)&&i.code==="aborted"))throw i;let u=ho(o),d={...go(o),taskId:o.taskId,
background:!1,status:u,durationMs:null,turns:null,cost:null},c=`The call was aborted; sub-agent ${wt(this.runtime,o)}, w\
hich was started before, goes on.`;return{text:this.told(c,o.taskId,u),details:this.withModel(d,s)}}}get answers(){let{canAnswer:e}=this.
options;return e===void 0?16:e?0:32}async asks(e,n){let{slot:r,generation:o,taskId:s}=e,{actor:i}=this,u=this.runtime.call(
p=>p.questionText(r,o));if(!this.runtime.act(p=>p.moveToBackground(b(),i.slot,i.generation,i.run,r,o)))return this.outcome(
e,n);this.letGoOfCall(e);let f=`${u===void 0?`Subagent [${I(e.brief().label,Q)}] (id: ${this.runtime.call(p=>p.toldId(r,
o))}) asked, and has been answered meanwhile.`:`${u}
${uo(this.others.answer)}`} It goes on in the background; I'll notify you when it completes.`,l=this.isJson?he({...ln(s,
"running",null),output:f}):f,m={taskId:s,background:!0,status:"running",durationMs:null,turns:null,cost:null};return{text:l,
details:this.withModel(m,n)}}movedOn(e,n){return this.letGoOfCall(e),this.started(e,n)}letGoOfCall(e){e.unfollow?.(),e.unfollow=
void 0}hostLimit(){let{canSpawn:e,getConcurrencyInfo:n}=this.runtime.functions;if(e!==void 0)try{if(e()===!0)return;let r=n?.();
return{why:`${r===void 0?"the limit of sub-agents is reached":`${r.active} of ${r.limit} sub-agents are running`}. Wait \
until one ends, or do the work yourself.`,full:{active:r?.active,limit:r?.limit}}}catch(r){return{why:`the host could no\
t say whether a sub-agent may start: ${I(x(r),Ke)}.`}}}refused(e,n,r=li(n)){let o=`No sub-agent was started: ${e}`,{texts:s}=this,
i=r===void 0?De(this.runtime,"refused",s?.refused,{reason:e,text:o}):De(this.runtime,"limitReached",s?.limitReached,{...r,
text:o}),u=this.detailsOfNone(n),{taskId:d,status:c}=u;return{text:this.told(i,d||null,c,i),details:u}}detailsOfNone(e){
let n=e?.code==="idempotency_forgotten",r=n?e.details.taskId:"",o=n?"forgotten":"refused";return this.withModel({taskId:r,
background:!1,status:o,durationMs:null,turns:null,cost:null})}get texts(){return this.isJson?void 0:this.options.texts}get isJson(){
return this.options.format==="json"}told(e,n,r,o=null){return this.isJson?he(ln(n,r,o)):e}reported(e){let n=this.detailsOfNone();
return{text:this.isJson&&nt(e)===void 0?he({...ln(null,"refused",null),output:e}):e,details:n}}started(e,n){let{taskId:r,
hostTaskId:o,slot:s,generation:i}=e,{collect:u}=this.others,d=this.runtime.call(S=>S.toldId(s,i)),c=e.snapshot(),{label:f}=c,
l=ho(c),m=`${pn({label:f,taskId:d})}${u===void 0?"":` ${u} gets its result.`}`,p=De(this.runtime,"started",this.texts?.started,
{id:d,taskId:r,hostTaskId:o,label:f,text:m}),k=this.told(p,r,l),g={taskId:r,background:!0,status:l,durationMs:null,turns:null,
cost:null};return o!==void 0&&(g.hostTaskId=o),{text:k,details:this.withModel(g,n)}}ended(e,n,r){let{status:o,hostStatus:s}=n,
{turns:i,costUsd:u,durationMs:d}=n.figures,{rest:c}=this.others,l=c!==void 0&&!this.isJson&&this.runtime.write(n.output)>
D(this.runtime,"inlineBytes")?`${n.text}
${c} shows what was left out.`:n.text,m={taskId:e.taskId,background:e.background,status:o,durationMs:d,turns:i,cost:u};n.
hostTaskId!==void 0&&(m.hostTaskId=n.hostTaskId),s!==void 0&&(m.hostStatus=s),n.artifacts.length>0&&(m.artifacts=n.artifacts);
let p=o==="completed"?"completed":"failed",k=this.texts?.[p];return{text:k===void 0?l:De(this.runtime,p,k,this.factsOf(e,
n,m,l)),details:this.withModel(m,r)}}modelOf({slot:e,generation:n}){return this.runtime.isClosed?void 0:this.runtime.call(
r=>r.modelId(e,n))}factsOf(e,n,{turns:r,cost:o,durationMs:s},i){let{taskId:u,slot:d,generation:c}=e,{hostTaskId:f,status:l,
stopReason:m,output:p}=n,k=this.runtime.call(A=>A.toldId(d,c)),g=fi(e),S=i.indexOf(`
`),O=S<0?"":i.slice(S+1);return{id:k,taskId:u,hostTaskId:f,label:g,status:l,stopReason:m,turns:r,cost:o,durationMs:s,output:p,
fenced:O,text:i}}withModel(e,n){try{let r=n??this.runtime.functions.getModelId?.();return typeof r=="string"?{...e,modelId:r}:
e}catch{return e}}};function di(t){return t?.aborted===!0}a(di,"hasFired");function ho({status:t}){return t==="pending"?
"pending":"running"}a(ho,"underWay");function ke(t){return Dn(t)&&t.code!=="disposed"&&t.code!=="internal"}a(ke,"isRefus\
al");function ci(t){return/[.!?…]$/u.test(t)?t:`${t}.`}a(ci,"sentence");function fi(t){try{return t.brief().label}catch(e){
if(ke(e))return"";throw e}}a(fi,"labelOf");function li(t){if(t===void 0||!mi.has(t.code))return;let{active:e,limit:n}=t.
details;return{active:e,limit:n}}a(li,"fullBy");var mi=new Set(["concurrency_limit","queue_full","children_limit","tasks\
_limit","abandoned_limit"]);function pi(t){return["concurrency_limit","queue_full","children_limit"].includes(t)?" Wait \
until one ends, or do the work yourself.":["budget_exhausted","depth_limit","draining","abandoned_limit","tasks_limit"].
includes(t)?" Do the work yourself.":""}a(pi,"adviceOn");function go({hostTaskId:t}){return t===null?{}:{hostTaskId:t}}a(
go,"hostIdOf");var Pn=class{static{a(this,"Runtime")}host;door;core;functions;agents=new me(void 0);profiles=new pe(void 0);gates;journal=void 0;seeded=!1;idKey=void 0;scratch;runs=new vn(
this);hosts;waits=new Tn(this);lookup=new wn(this);listeners;sessionData=new Rn(this);contexts=new nn;pins=new On(this);wakes=new jn(
this);signals=new yn;keepAlive;alarm;runMaker;closed;constructor(e,n,r){this.functions=n,this.runMaker=r,this.door=new hn(
this),this.alarm=new re(hi(we(this.door))),this.keepAlive=new xn(this.alarm,this),this.host=Dr(this,this.door,this.alarm),
this.core=new e.SubAgentCore(this.host),e.onFailure=o=>this.poison(o),this.scratch=new Ge(this.core,e.memory),this.hosts=
new An(this,this.scratch,this.alarm),this.listeners=new gn(this,this.scratch),this.gates=new be(this,{},{})}check(){if(this.
closed!==void 0)throw this.closed}get isClosed(){return this.closed!==void 0}get isDisposed(){return this.closed?.code===
"disposed"}call(e){this.check();let n=K(this);try{return e(this.core)}catch(r){throw this.poison(r)}finally{U(n)}}carryOut(){
if(this.closed!==void 0)return;if(this.journal?.isSync===!0){this.journal.carryOut();return}let e=K(this);try{this.core.
carryOut()}catch(n){this.poison(n)}finally{U(e)}}act(e){let n=this.call(e);return this.carryOut(),this.expectSound(),n}order(e){
if(!this.call(e))throw this.refusal();this.carryOut(),this.expectSound()}expectSound(){if(this.closed!==void 0&&!this.isDisposed)
throw this.closed}unasked(e){if(this.closed!==void 0)return;let n=K(this);try{return e(this.core)}catch(r){this.poison(r);
return}finally{U(n)}}alone(e){e.catch(n=>{n!==this.closed&&this.report(n)})}refusal(){let{code:e,message:n,told:r,details:o}=this.
call(s=>s.refusal());return this.carryOut(),We(new y(e,n,o),r)}ask(e){if(!this.call(e))throw this.refusal()}together(e){
if(this.journal?.isSync===!0)return this.journal.together(e);let n=this.call(r=>r.hold());try{return e()}finally{n&&this.
call(r=>r.goOn())}}answer(e){return this.journal===void 0?Promise.resolve(e):this.journal.answer(e)}write(e){try{return this.
scratch.write(e)}catch(n){throw this.poison(n)}}writeAll(e){try{return this.scratch.writeAll(e)}catch(n){throw this.poison(
n)}}wakeAt(e){this.isClosed||(this.alarm.set(e),this.hosts.keepAwake())}tick(){this.unasked(e=>e.tick(b())),this.carryOut(),
this.wakes.review(),this.hosts.keepAwake(),this.runs.batchOver()}makeRun(e){return this.runMaker(this,e)}consumerGate(e){
return pt(this,e)}makeTool(e){return bo(this,e)}startsStopped(e){if(this.functions.onError===void 0)return;let n=`${e} a\
bandoned host functions are still running, so nothing starts until one returns; \`maxAbandoned\` raises it`;this.report(
new y("abandoned_limit",n,{limit:e,option:"maxAbandoned"}))}report(e){Se(e);let{onError:n}=this.functions;n===void 0?it(
e):at(()=>n(e),it)}tell(e){at(e,n=>this.report(n))}dispose(){this.end(new y("disposed","the manager has been disposed"))}fail(e){
this.end(e),this.report(e)}end(e){if(this.closed===void 0){this.journal!==void 0&&this.unasked(n=>n.setAside()),this.close(
e),dt(this);try{this.idKey=this.core.idKey(),this.core.dispose()}catch{}this.letGo()}}letGo(){if(Lr()){queueMicrotask(()=>this.
letGo());return}this.scratch.letGo(),this.core=void 0}poison(e){if(this.closed===void 0){let n=new y("internal",`the man\
ager's core failed: ${x(e)}`);this.close(n),dt(this),this.core.__destroy_into_raw(),this.letGo()}return this.closed}close(e){
this.closed=e,this.journal?.close(e),this.alarm.stop(),this.keepAlive.clear(),this.runs.close(e),this.gates.close(),this.
waits.rejectAll(e),this.listeners.clear(),this.sessionData.clear(),this.contexts.clear(),this.hosts.elsewhere.clear(),this.
wakes.clear(),this.signals.clear()}};function hi(t){return()=>t.deref()?.runtime?.tick()}a(hi,"tickThrough");var yo=["spawnSubAgent","spawnBackgroundSubAgent","checkConsumerSpawn","canSpawn","getConcurrencyInfo","getModelId","onE\
rror","countTokens","onWake"],gi=["agents","bus","mainLimits","modelId","policies","preset","profiles","retry","tools"];
function wo(t,e,n,r){let{functions:o,bounds:s,settings:i,tools:u,agents:d,profiles:c,policies:f,mainLimits:l,bus:m}=v("t\
he options of a manager",()=>bi(e)),p=new Pn(t,o,n);p.agents=d,p.profiles=c,m!==void 0&&(p.functions.onWake=$r(m,k=>{p.isClosed||
p.report(k)}));try{r?.begin(p),s.apply(p,i),p.gates=new be(p,f,l),p.contexts.matter&&p.call(g=>g.tellForgotten());let{blockedTools:k}=p.
gates.sub;k.length>0&&p.order(g=>g.blockTools(b(),[...k])),u!==void 0&&p.order(g=>g.setTools(b(),g.defaultSession(),u))}catch(k){
throw p.dispose(),k}return p}a(wo,"open");function bi(t){let e=T("the options of a manager",t),n={},r=new dn,o={},s,i=new me(
e.agents),u=new pe(e.profiles),d={},c,f={};for(let[l,m]of Object.entries(e))if(!(m===void 0||l==="agents"||l==="profiles")){
if(yo.includes(l)){if(typeof m!="function")throw h(`\`${l}\``,"a function",m);n[l]=l==="onWake"?le(m):m}else if(!r.take(
l,m))if(l==="retry")o.retry=on(l,m);else if(l==="bus"){if(e.onWake!==void 0)throw q("`bus` and `onWake`",l);c=Mr(m)}else if(l===
"modelId"){let p=G("`modelId`",m);if(e.getModelId!==void 0)throw q("`modelId` and `getModelId`",l);n.getModelId=()=>p}else if(l===
"tools")s=Y("`tools`",m);else if(l==="policies")d=yi(m);else if(l==="mainLimits")f=wi("mainLimits",m);else throw Ae("a m\
anager",l,[...yo,...Sr,...gi])}return i.checkProfiles(u),{functions:n,bounds:r,settings:o,tools:s,agents:i,profiles:u,policies:d,
mainLimits:f,bus:c}}a(bi,"read");function yi(t){if(Array.isArray(t))throw h("`policies`","an object with subAgents or ma\
in",t);let{subAgents:e,main:n,...r}=T("`policies`",t);return J("policies",r,["subAgents","main"]),{...e!==void 0&&{subAgents:e},
...n!==void 0&&{main:n}}}a(yi,"policySets");function wi(t,e){let{maxTurns:n,maxContextTokens:r,timeoutMs:o,...s}=T(`\`${t}\
\``,e);J(t,s,["maxTurns","maxContextTokens","timeoutMs"]);let i={},u=$(`\`${t}.maxTurns\``,n),d=$(`\`${t}.maxContextToke\
ns\``,r),c=ve(`\`${t}.timeoutMs\``,o);return u!==void 0&&(i.maxTurns=u),d!==void 0&&(i.maxContextTokens=d),c!==void 0&&(i.
timeoutMs=c),i}a(wi,"mainLimitsOf");function mm(t,e){return wo(t,e,(n,r)=>new en(n,r))}a(mm,"open");export{hn as Door,Br as ENDED,$d as MOVED,Cd as PENDING,wd as abortRun,Td as askDone,Dr as attach,Id as consumerGate,K as enter,
Ed as facts,Lr as isInside,U as leave,_d as makeTool,mm as open,Od as policiesDue,dt as release,Pd as runEnded,yd as runRetried,
bd as startRun,vd as startsStopped,Ad as taskClosed,Sd as taskForgotten,kd as turnReady,jd as waitDone,Rd as wakeAt,xd as wakeSession};
